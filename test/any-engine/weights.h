// The values that the author began with; the tuner writes a file of this form with --emit c --macro S --type Score.

#pragma once

static const Score material[5] = {S(80, 90), S(300, 300), S(320, 320), S(500, 500), S(900, 900)};

static const Score pieceSquares[6][64] = {{S(0, 0)}};

static const Score knightMobility[9] = {S(-8, -8), S(-6, -6), S(-4, -4), S(-2, -2), S(0, 0), S(2, 2), S(4, 4), S(6, 6), S(8, 8)};

static const Score passedPawn[8] = {S(0, 0), S(0, 5), S(0, 10), S(5, 20), S(10, 40), S(20, 60), S(30, 80), S(0, 0)};

static const Score isolatedPawn[8] = {S(-5, -5), S(-5, -5), S(-5, -5), S(-5, -5), S(-5, -5), S(-5, -5), S(-5, -5), S(-5, -5)};

static const Score bishopPair = S(20, 30);

static const int tempo = 10;
