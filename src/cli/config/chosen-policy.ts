import type { Policy } from '../../model/index.js'
import { policyOf } from '../../schedule/index.js'

/** The policy that a person asks for: by name, or with parameters as in `fixed:gap=1d`, or wrapped as in `with-hints(nutch)`. */
export function chosenPolicy(text: string): Policy {
  return policyOf(text)
}
