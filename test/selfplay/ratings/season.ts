// A synthetic season of eight players from a small generator, as PGN without moves.

/**
 * The players: true rating, and the rating and error by Ordo 1.2.6 (`ordo -W -D -z 200.23985 -a 0 -s 2000`) and with Elm as anchor
 * (`-a 2500 -A Elm`).
 */
export const PLAYERS = [
  { name: 'Ash', truth: 150, ordo: [160.66, 36.88], anchored: [2649.89, 53.53] },
  { name: 'Birch "B"', truth: 90, ordo: [88.4, 34.36], anchored: [2577.63, 50.4] },
  { name: 'Cedar', truth: 60, ordo: [58.26, 33.25], anchored: [2547.5, 50.2] },
  { name: 'Elm', truth: 20, ordo: [10.77, 33.34], anchored: [2500.0, 0] },
  { name: 'Fir', truth: -20, ordo: [-27.38, 33.26], anchored: [2461.85, 49.94] },
  { name: 'Hazel', truth: -60, ordo: [-65.93, 33.52], anchored: [2423.3, 49.94] },
  { name: 'Larch', truth: -90, ordo: [-53.43, 33.81], anchored: [2435.8, 50.9] },
  { name: 'Oak', truth: -150, ordo: [-171.36, 38.02], anchored: [2317.87, 54.42] },
];

const ROUNDS = 30;
const WHITE = 35;
const DRAWS = 0.4;

/** Returns the PGN of the season. */
export function seasonPgn(): string {
  let state = 2026;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const games: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [i, one] of PLAYERS.entries()) {
      for (const other of PLAYERS.slice(i + 1)) {
        const [white, black] = random() < 0.6 ? [one, other] : [other, one];
        const expected = 1 / (1 + 10 ** (-(white.truth - black.truth + WHITE) / 400));
        const drawn = 4 * DRAWS * expected * (1 - expected);
        const draw = random();
        const result = draw < expected - drawn / 2 ? '1-0' : draw < expected + drawn / 2 ? '1/2-1/2' : '0-1';
        games.push(
          `[Event "Season"]\n[Round "${round}"]\n[White "${escaped(white.name)}"]\n[Black "${escaped(black.name)}"]\n[Result "${result}"]\n\n${result}\n`,
        );
      }
    }
  }
  return games.join('\n');
}

const escaped = (name: string): string => name.replaceAll('"', '\\"');
