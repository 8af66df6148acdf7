// The methods by the name that `--method` takes.

import { adam } from './adam.js';
import type { Method } from './method.js';

export const METHODS: Readonly<Record<string, Method>> = { adam };
