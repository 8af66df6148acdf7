// The exports of the tuner's module, which counts the terms.

export { countCandidate } from './candidates.js';
export { isKnownEndgame } from './endgame/endgame.js';
export { packedScore, tracedScore } from './evaluate.js';
