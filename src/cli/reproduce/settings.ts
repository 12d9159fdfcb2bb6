import { OptionError } from '../../model/index.js'

/** The options as a person gave them. */
export interface ReproduceFlags {
  readonly quick?: boolean
  readonly html?: string
  readonly out?: string
  readonly json?: boolean
  readonly seed?: string
  readonly histories?: string
  readonly objects?: string
  readonly threads?: string
}

/** The options, checked. */
export interface ReproduceSettings {
  readonly names: readonly string[]
  readonly quick: boolean
  readonly html: string | undefined
  readonly out: string | undefined
  readonly json: boolean
  readonly seed: number
  readonly histories: string | undefined
  readonly objects: string | undefined
  readonly threads: number
}

export function reproduceSettings(
  flags: ReproduceFlags,
  { asked, known }: { readonly asked: readonly string[]; readonly known: readonly string[] },
): ReproduceSettings {
  if (flags.objects !== undefined && flags.histories === undefined)
    throw new OptionError(
      'objects-without-histories',
      '--objects describes the pages of --histories; give that file too',
    )
  return {
    names: namesOf(asked, known),
    quick: flags.quick === true,
    html: flags.html,
    out: flags.out,
    json: flags.json === true,
    seed: whole(flags.seed ?? '1', { option: '--seed', least: 0, most: 2 ** 32 - 1 }),
    histories: flags.histories,
    objects: flags.objects,
    threads: whole(flags.threads ?? '2', { option: '--threads', least: 1, most: 64 }),
  }
}

/** In the order of the list, whatever the order asked for. */
function namesOf(asked: readonly string[], known: readonly string[]): readonly string[] {
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new OptionError(
      'unknown-paper',
      `there is no paper "${unknown}"; there are: ${known.join(', ')}`,
    )
  return asked.length === 0 ? known : known.filter((name) => asked.includes(name))
}

function whole(text: string, range: { option: string; least: number; most: number }): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= range.least && value <= range.most) return value
  throw new OptionError(
    'bad-number',
    `${range.option} takes a whole number from ${range.least} to ${range.most}; got "${text}"`,
  )
}
