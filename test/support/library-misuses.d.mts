/** Returns the number of uses and, as lines, those that did not fail as they must, or after which the engine did not play. */
export function misuse(library: object): Promise<{ count: number; wrong: string[] }>;
