// URLs of the project's files, whether this module runs from dist/ or, under vitest, from the sources.

const FROM_SOURCE = import.meta.url.endsWith('.ts');

/** Returns the URL of a compiled worker entry, for example `tuner/objective/gradient-worker`: threads need JavaScript. */
export function workerFile(path: string): URL {
  return new URL(`${FROM_SOURCE ? '../../dist/' : '../../'}${path}.js`, import.meta.url);
}

/** Returns the URL of a file of the source tree, its path being relative to the top folder. */
export function projectFile(path: string): URL {
  return new URL(`${FROM_SOURCE ? '../../' : '../../../'}${path}`, import.meta.url);
}
