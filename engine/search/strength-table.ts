// Placeholder of `npm run calibrate-elo`, which measures the Elo: until it has run, they are guesses.

export const STRENGTH = {
  levels: [
    { elo: 900, nodes: 64, missed: 0.5 },
    { elo: 1150, nodes: 64, missed: 0.2 },
    { elo: 1350, nodes: 64, missed: 0 },
    { elo: 1650, nodes: 256, missed: 0 },
    { elo: 1950, nodes: 1024, missed: 0 },
    { elo: 2200, nodes: 4096, missed: 0 },
    { elo: 2450, nodes: 16384, missed: 0 },
  ],
};
