// Import this first in every process or worker whose JavaScript runs hot; kernel-node.ts does where JavaScript searches. Node 20 may fall into a loop of on-stack replacements and
// deoptimisations that makes a process several times slower; switching that off costs nothing measurable.

import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-use-osr');
