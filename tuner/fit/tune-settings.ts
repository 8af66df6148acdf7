// What a tuning run is asked to do.

import type { LabelSettings } from '../objective/labels.js';
import type { LossKind } from '../objective/objective.js';
import type { FilterSettings } from '../trace/sample.js';
import type { Freedom } from './freedom.js';

export interface TuneSettings {
  data: readonly string[];
  /** A name in METHODS. */
  method: string;
  /** Names of weights or weight files; prior null: the start. */
  start: string;
  prior: string | null;
  /** Share of the openings whose games are held out. */
  holdout: number;
  filter: FilterSettings;
  epochs: number;
  patience: number;
  /** See MethodSettings. */
  rate: number;
  decay: number;
  batch: number;
  /**
   * Pull towards the prior: l2 / games · Σ (K · (weight − prior) / 400)² is added to the train loss. It is the variance
   * of results over the variance expected of a weight in logits, so it suits any scale of weights and any amount of data.
   */
  l2: number;
  /** As l2, with absolute values in place of squares. */
  l1: number;
  freedom: Freedom;
  labels: LabelSettings;
  /** null: fitted to the start weights. */
  k: number | null;
  /** Epochs after which positions are resolved anew with the weights so far; 0 to resolve them once. */
  reresolve: number;
  /** Positions of the training side below which a term keeps its prior value. */
  leastOccurrences: number;
  loss: LossKind;
  workers: number;
}
