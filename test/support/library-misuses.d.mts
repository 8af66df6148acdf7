/** Returns the number of misuses, and a line for each that did not fail as expected or after which the engine did not play. */
export function misuse(library: object): Promise<{ count: number; wrong: string[] }>;
