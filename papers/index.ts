import type { Paper } from 'revisit/report'
import { grimesFord } from './grimes-ford/run.js'
import { hattab } from './hattab/run.js'
import { li } from './li/run.js'
import { malcolmArmitage } from './malcolm-armitage/run.js'
import { singh } from './singh/run.js'

/** The papers that can be run again, the slowest first so that threads end together. */
export const papers: readonly Paper[] = [li, singh, grimesFord, malcolmArmitage, hattab]
