// HEFT: the engine's own evaluation as a model.

import { recentre, TERMS, WEIGHT_COUNT } from '../../engine/eval/terms.js';
import { WEIGHT_LIMIT } from '../../engine/eval/weight-set.js';
import type { Model } from './model.js';

export const HEFT: Model = { engine: 'Heft', terms: TERMS, size: WEIGHT_COUNT, limit: WEIGHT_LIMIT, recentre };
