import { basename, extname } from 'node:path'
import { InputError, OptionError } from '../../model/index.js'
import { type Contender, type OwnPolicy, ownContender } from '../../simulate/index.js'
import type { World } from '../world.js'

/** The policies of the user's own files, in the order of the command line. */
export async function ownPolicies(
  { load }: World,
  { files, others }: { files: readonly string[]; others: readonly Contender[] },
): Promise<Contender[]> {
  const found: Contender[] = []
  for (const file of files) {
    const contender = ownContender(policyOf(file, await load(file)))
    if ([...others, ...found].some(({ name }) => name === contender.name))
      throw new OptionError(
        'same-name',
        `${file}: there is a policy "${contender.name}" already; give yours another name`,
      )
    found.push(contender)
  }
  return found
}

/** The default export, checked: `name` is the file's by default. */
export function policyOf(file: string, module: Readonly<Record<string, unknown>>): OwnPolicy {
  const given = module.default
  const wrong = (what: string) => new InputError('bad-policy', `${file} ${what}`)
  if (given === undefined)
    throw wrong('has no default export; write export default { nextGap(page) { ... } }')
  if (typeof given !== 'object' || given === null)
    throw wrong('exports no object by default; write export default { nextGap(page) { ... } }')
  const { name, summary, nextGap, rates } = given as Record<string, unknown>
  if (name !== undefined && (typeof name !== 'string' || !/^[\w.-]{1,40}$/.test(name)))
    throw wrong('has a name that is not 1 to 40 letters, digits, dots, dashes')
  if (summary !== undefined && typeof summary !== 'string')
    throw wrong('has a summary that is not text')
  const forms = [nextGap, rates].filter((each) => each !== undefined)
  if (forms.length !== 1)
    throw wrong(
      `has ${forms.length === 0 ? 'neither nextGap nor rates' : 'both nextGap and rates'}; it must have one of them`,
    )
  if (typeof forms[0] !== 'function')
    throw wrong(`has a ${nextGap === undefined ? 'rates' : 'nextGap'} that is not a function`)
  const called = forms[0].bind(given)
  return {
    name: name ?? basename(file, extname(file)),
    summary: summary ?? `the policy of ${file}`,
    ...(nextGap === undefined ? { rates: called } : { nextGap: called }),
  }
}
