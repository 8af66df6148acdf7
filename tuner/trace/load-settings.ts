// The settings of loading, and what it reports.

import type { DataSummary } from './data-summary.js';
import type { FilterSettings } from './sample.js';

export interface LoadSettings {
  /** Folders of self-play runs, shards, PGN, or files of labelled positions; plain or gzipped. */
  data: readonly string[];
  filter: FilterSettings;
  /** Weights that resolve positions and that the guards check the trace with. */
  weights: Float64Array;
  workers: number;
}

export interface LoadObserver {
  onReading?: (dataSummary: DataSummary) => void;
  signal?: AbortSignal;
}
