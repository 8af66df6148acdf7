// A position with its label, and bullet's text form of it.

/** A position with its label. */
export interface Labelled {
  fen: string;
  /** White's: 0, 0.5, 1, or an expectation between. */
  result: number;
  /** White's centipawns, null when the line gives none. */
  score: number | null;
  /** Numbers of the game and of its opening, where the lines have them: a game's positions stand together. */
  game?: number;
  opening?: number;
}

/** A labelled position and the line it comes from. */
export interface LabelledPosition extends Labelled {
  file: string;
  line: number;
}

/** Returns the number of a game or opening by its name: a number of 32 bits as it is, and a hash of any other text. */
export function nameNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Returns bullet's text form `FEN | centipawns | 1.0`, the score 0 if unknown. */
export function formatLabelled({ fen, result, score }: Labelled): string {
  // Trainers look for 1.0, 0.5 and 0.0
  return `${fen} | ${score ?? 0} | ${Number.isInteger(result) ? result.toFixed(1) : result}`;
}
