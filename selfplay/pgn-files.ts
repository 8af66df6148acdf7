// stub
import type { PlayedGame } from './match-game.js';
import type { MatchSettings } from './match-settings.js';
export class PgnFiles {
  constructor(_settings: MatchSettings) {}
  write(_game: PlayedGame, _tags: { round: number; white: string; black: string }): void {}
  close(): void {}
}
