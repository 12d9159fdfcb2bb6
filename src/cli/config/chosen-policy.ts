import type { Policy } from '../../model/index.js'
import { policyNamed, policyOf } from '../../schedule/index.js'

/** The policy that a person asks for: by name, or with parameters as in `fixed:gap=1d`. */
export function chosenPolicy(text: string): Policy {
  return text.includes(':') ? policyOf(text) : policyNamed(text)
}
