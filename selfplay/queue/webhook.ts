// Posts the end of a test as JSON. A missing receiver does not stop the queue.

import type { Test } from './test.js';

const PATIENCE_MS = 10_000;

/** Posts the result of a test to the address. */
export async function announce(address: string, test: Test, warn: (message: string) => void): Promise<void> {
  const { id, form, state, verdict = null, elo, eloError, llr, gamesPlayed, penta, problem } = test;
  const outcome = verdict === 'H1' ? 'passed' : verdict === 'H0' ? 'failed' : state;
  const text = `${form.name === '' ? `${form.head} against ${form.base}` : form.name}: ${outcome}`;
  // Chat programs display `text` or `content`
  const message = {
    text,
    content: text,
    id,
    name: form.name,
    head: form.head,
    base: form.base,
    state,
    verdict,
    elo,
    eloError,
    llr,
    games: gamesPlayed,
    penta,
    problem,
  };
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
    });
    if (!answer.ok) warn(`--webhook: the receiver answered ${answer.status}`);
  } catch (error) {
    warn(`--webhook: ${(error as Error).message}`);
  }
}
