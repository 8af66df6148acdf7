// Provisional: `npm run calibrate-elo` measures the Elo and writes this file, and has not been run to its end. Measured are the
// differences up to 256 nodes, in 80 games each (+63 -14 =3, +33 -25 =22, +64 -10 =6, from the weakest pair on, weights of
// 3e480c7); where the scale begins, and what more nodes are worth, is guessed.

export const STRENGTH = {
  levels: [
    { elo: 1067, nodes: 64, missed: 0.5 },
    { elo: 1315, nodes: 64, missed: 0.2 },
    { elo: 1350, nodes: 64, missed: 0 },
    { elo: 1635, nodes: 256, missed: 0 },
    { elo: 1950, nodes: 1024, missed: 0 },
    { elo: 2200, nodes: 4096, missed: 0 },
    { elo: 2450, nodes: 16384, missed: 0 },
  ],
};
