import { OptionError, type Version } from '../../../model/index.js'
import { parseDate } from '../../text/parse-time.js'

export interface ChosenVersions {
  readonly before: Version
  readonly after: Version
}

/**
 * The versions to compare: the two newest, or from the one named to the
 * newest, or the two named. A version is named by its number, 1 being the
 * oldest that is kept, or by a time at which it was the current one.
 */
export function chosenVersions(
  versions: readonly Version[],
  [a, b]: readonly (string | undefined)[],
): ChosenVersions {
  if (versions.length < 2)
    throw new OptionError(
      'one-version',
      versions.length === 0
        ? 'no copy of this page is kept yet; it is not visited, or all visits failed'
        : 'only one copy of this page is kept: no change was seen yet',
    )
  const after = b === undefined ? versions.at(-1)! : named(b, versions)
  const before = a === undefined ? versions.at(-2)! : named(a, versions)
  return { before, after }
}

function named(text: string, versions: readonly Version[]): Version {
  if (/^\d{1,4}$/.test(text)) {
    const found = versions[Number(text) - 1]
    if (found !== undefined) return found
    throw new OptionError(
      'no-version',
      `there is no version ${text}; there are 1 to ${versions.length}, 1 being the oldest kept`,
    )
  }
  const at = parseDate(text, { option: 'diff', zone: 0 })
  const found = versions.findLast((each) => each.at <= at)
  if (found !== undefined) return found
  throw new OptionError('no-version', `no copy from ${text} or before is kept`)
}
