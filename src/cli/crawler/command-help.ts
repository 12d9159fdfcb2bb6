/** Options and help of the commands, in the order a person meets them. */
export { annotating, planning, priors } from './help/deciding.js'
export { keying, notifying, running, serving, visiting, watching } from './help/following.js'
export { backingUp, checking, exporting, importing, repairing, restoring } from './help/keeping.js'
export {
  comparing,
  configuring,
  listing,
  recalling,
  showing,
  unmasking,
  unwatching,
} from './help/looking.js'
