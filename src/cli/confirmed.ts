import { OptionError } from '../model/index.js'
import type { World } from './world.js'

/**
 * Whether to go on with something long: yes if `--yes` was given, else as the
 * person at the terminal answers; refused where there is nobody to ask.
 */
export async function confirmed(
  { ask }: World,
  { yes, about }: { readonly yes: boolean; readonly about: string },
): Promise<boolean> {
  if (yes) return true
  if (ask !== undefined) return ask(`${about}. Go on?`)
  throw new OptionError('too-much', `${about}; ask for less, or say --yes`)
}
