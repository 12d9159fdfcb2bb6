import { hattab } from './hattab/run.js'
import { malcolmArmitage } from './malcolm-armitage/run.js'
import type { Paper } from './paper.js'

/** The papers that can be run again, the slowest first so that threads end together. */
export const papers: readonly Paper[] = [malcolmArmitage, hattab]
