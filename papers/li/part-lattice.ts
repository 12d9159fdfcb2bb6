import { irrationalFinding, phaseLockFinding } from './lattice-claims.js'
import type { Part } from './part.js'

/** Section III-C: when watching cannot tell, and when it can. */
export const phaseLocks: Part = {
  doing: 'phase lock (section III-C)',
  cost: 4,
  run: (run) => ({
    findings: [phaseLockFinding(run), irrationalFinding(run)],
    tables: [],
    figures: [],
  }),
}
