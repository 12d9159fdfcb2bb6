import { OptionError } from '../../model/errors.js'

/** One of some names, in whatever case it is written; undefined where nothing was given. */
export function oneOf<Name extends string>(
  names: readonly Name[],
  given: string | undefined,
  option: string,
): Name | undefined {
  if (given === undefined) return undefined
  const found = names.find((name) => name.toLowerCase() === given.toLowerCase())
  if (found !== undefined) return found
  throw new OptionError('bad-option', `${option} takes ${names.join(', ')}; got "${given}"`)
}
