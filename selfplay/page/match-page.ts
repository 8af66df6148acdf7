// Opens the live page of `npm run match --page`.

import { UserError } from '../common/errors.js';
import { describeLimits } from '../games/clock.js';
import type { SeriesSettings } from '../series/settings.js';
import type { PageServer } from './page-server.js';

/** Where the live page is when no port is given and this one is free. */
export const DEFAULT_PORT = 8020;

/** Returns the page for `--page`, or null without it (`value`: its port, '' for the default). UserError if the port is invalid or taken. */
export async function openPage(
  value: string | undefined,
  settings: SeriesSettings,
  title: string,
  gamesToPlay: number,
): Promise<PageServer | null> {
  if (value === undefined) return null;
  const port = value === '' ? DEFAULT_PORT : Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new UserError(`--page takes a port from 0 to 65535, not '${value}'`, 2);
  }
  // Drawing takes a while to load
  const { PageServer } = await import('./page-server.js');
  const { engines, out = '', chess960, workers } = settings;
  const sides = engines.map(({ spec, limits }) => {
    const options = Object.entries(spec.options).map(([name, option]) => `${name}=${option}`);
    return [describeLimits(limits), ...options].join(', ');
  });
  const server = new PageServer({ title, engines: sides, gamesToPlay, folder: out, chess960, workers });
  await server.listen(port, value === '');
  return server;
}
