// A small complete evaluation that prints its rows for Heft's tuner; docs/any-engine.md walks through it.
//
//   cc -O2 -o sample sample.c
//   ./sample rows < positions.txt > rows.tsv    lines of "FEN;result;game" in, a file of rows out
//   ./sample trace                              the header, then a row for each FEN on the standard input
//   ./sample eval < positions.txt               the evaluation of each position

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int mg, eg; } Score;
#define S(mg, eg) {mg, eg}
#ifndef WEIGHTS
#define WEIGHTS "weights.h"
#endif
#include WEIGHTS

// 1. Every term once: its name, what the header says of it, its values, and its first index

enum { MATERIAL = 0, SQUARES = 5, MOBILITY = SQUARES + 6 * 64, PASSED = MOBILITY + 9, ISOLATED = PASSED + 8, PAIR = ISOLATED + 8, TEMPO, COUNT };

static const struct {
  const char *name, *label, *family, *shape, *orders;
  const void *values;
  int first, size;
} terms[] = {
  {"material", "material", "material", "[5]", "[\"kinds\"]", material, MATERIAL, 5},
  {"pieceSquares", "piece squares", "squares", "[6,64]", "[\"kinds\",\"squares\"]", pieceSquares, SQUARES, 6 * 64},
  {"knightMobility", "knight mobility", "mobility", "[9]", "[\"steps\"]", knightMobility, MOBILITY, 9},
  {"passedPawn", "passed pawn", "pawns", "[8]", "[\"steps\"]", passedPawn, PASSED, 8},
  {"isolatedPawn", "isolated pawn", "pawns", "[8]", "[\"files\"]", isolatedPawn, ISOLATED, 8},
  {"bishopPair", "bishop pair", "others", "[]", "[]", &bishopPair, PAIR, 1},
  {"tempo", "side to move", "others", "[]", "[]", &tempo, TEMPO, 1},
};

static Score weights[COUNT];

static void readWeights(void) {
  for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
    if (terms[t].first == TEMPO) weights[TEMPO] = (Score){tempo, tempo};
    else memcpy(weights + terms[t].first, terms[t].values, terms[t].size * sizeof(Score));
  }
}

// 2. The evaluation: each term is counted where it is scored

static char board[64];
static int whiteToMove;
static int counts[COUNT];

static void count(int side, int index, int n) { counts[index] += side * n; }

static int parse(const char *fen) {
  memset(board, 0, sizeof board);
  int square = 56;
  for (; *fen && *fen != ' '; fen++) {
    if (*fen == '/') square -= 16;
    else if (isdigit((unsigned char)*fen)) square += *fen - '0';
    else if (square >= 0 && square < 64) board[square++] = *fen;
    else return 0;
  }
  whiteToMove = fen[0] == ' ' && fen[1] == 'w';
  return 1;
}

static int isPawnOn(int file, int fromRank, int toRank, char pawn) {
  for (int rank = fromRank; rank <= toRank; rank++)
    if (file >= 0 && file < 8 && board[8 * rank + file] == pawn) return 1;
  return 0;
}

static int phase;

// Counts the position's terms, White's less Black's, and returns the evaluation in centipawns for White
static int evaluate(void) {
  static const int phases[6] = {0, 1, 1, 2, 4, 0};
  static const int jumps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
  int bishops[2] = {0, 0};
  memset(counts, 0, sizeof counts);
  phase = 0;
  for (int square = 0; square < 64; square++) {
    if (!board[square]) continue;
    int isWhite = isupper((unsigned char)board[square]) != 0, side = isWhite ? 1 : -1;
    int type = (int)(strchr("pnbrqk", tolower((unsigned char)board[square])) - "pnbrqk");
    int own = isWhite ? square : square ^ 56, file = own & 7, rank = own >> 3;
    phase += phases[type];
    if (type < 5) count(side, MATERIAL + type, 1);
    count(side, SQUARES + 64 * type + own, 1);
    if (type == 1) {
      int moves = 0;
      for (int i = 0; i < 8; i++) {
        int x = (square & 7) + jumps[i][0], y = (square >> 3) + jumps[i][1];
        if (x < 0 || x > 7 || y < 0 || y > 7) continue;
        char there = board[8 * y + x];
        moves += !there || (isupper((unsigned char)there) != 0) != isWhite;
      }
      count(side, MOBILITY + moves, 1);
    }
    if (type == 2) bishops[isWhite]++;
    if (type == 0) {
      char friend = isWhite ? 'P' : 'p', enemy = isWhite ? 'p' : 'P';
      if (!isPawnOn(file - 1, 0, 7, friend) && !isPawnOn(file + 1, 0, 7, friend)) count(side, ISOLATED + file, 1);
      int from = isWhite ? (square >> 3) + 1 : 0, to = isWhite ? 7 : (square >> 3) - 1, isPassed = 1;
      for (int f = file - 1; f <= file + 1; f++) isPassed &= !isPawnOn(f, from, to, enemy);
      if (isPassed) count(side, PASSED + rank, 1);
    }
  }
  count(1, PAIR, (bishops[1] > 1) - (bishops[0] > 1));
  count(whiteToMove ? 1 : -1, TEMPO, 1);
  if (phase > 24) phase = 24;

  int mg = 0, eg = 0;
  for (int i = 0; i < COUNT; i++) {
    mg += counts[i] * weights[i].mg;
    eg += counts[i] * weights[i].eg;
  }
  return (mg * phase + eg * (24 - phase)) / 24;
}

// 3. The header: one line of JSON, then the columns

static void printHeader(const char *columns) {
  printf("{\"format\":\"heft-rows\",\"version\":1,\"engine\":\"Sample 1.0\",\"terms\":[");
  for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
    printf("%s{\"name\":\"%s\",\"label\":\"%s\",\"family\":\"%s\",\"shape\":%s,\"orders\":%s,\"weights\":[", t ? "," : "",
           terms[t].name, terms[t].label, terms[t].family, terms[t].shape, terms[t].orders);
    for (int i = 0; i < terms[t].size; i++) {
      Score w = weights[terms[t].first + i];
      if (terms[t].first == TEMPO) printf("%d", w.mg);
      else printf("%s[%d,%d]", i ? "," : "", w.mg, w.eg);
    }
    printf("]}");
  }
  printf("]}\n%s\n", columns);
}

// 4. A row: what is not zero, as index:count

static void printRow(void) {
  const char *space = "";
  for (int i = 0; i < COUNT; i++) {
    if (!counts[i]) continue;
    printf("%s%d:%d", space, i, counts[i]);
    space = " ";
  }
  putchar('\n');
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  int isRows = !strcmp(mode, "rows"), isTrace = !strcmp(mode, "trace"), isEval = !strcmp(mode, "eval");
  if (!isRows && !isTrace && !isEval) return fprintf(stderr, "usage: sample rows | trace | eval\n"), 2;
  readWeights();
  if (isRows) printHeader("fen\tresult\tgame\tphase\teval\trow");
  if (isTrace) printHeader("fen\tphase\teval\trow");
  fflush(stdout);

  char line[512];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\r\n")] = 0;
    char *fen = strtok(line, ";"), *result = strtok(NULL, ";"), *game = strtok(NULL, ";");
    if (!fen || !parse(fen) || (isRows && !game)) return fprintf(stderr, "not a position: %s\n", line), 1;
    int value = evaluate();
    if (isEval) printf("%d\n", value);
    else {
      printf("%s\t", fen);
      if (isRows) printf("%s\t%s\t", result, game);
      printf("%d\t%d\t", phase, value);
      printRow();
    }
    fflush(stdout);
  }
  return 0;
}
