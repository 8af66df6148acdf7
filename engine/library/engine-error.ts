// The error of a closed or failed engine. Wrong arguments are TypeErrors.

/** Why an engine failed: it was closed, its thread failed, or it refused something that only the engine checks. */
export type EngineFailure = 'closed' | 'thread' | 'refused';

/** An engine that was closed, whose thread failed, or that refused a setting. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineFailure;

  constructor(code: EngineFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}
