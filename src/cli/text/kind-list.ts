import { OptionError } from '../../model/index.js'

/** Something a person can choose by name. */
export interface Choice {
  readonly name: string
  readonly summary: string
  readonly parameters?: readonly {
    readonly name: string
    readonly default: string
    readonly description: string
  }[]
}

/** The text of `--policies list`: names, summaries, and parameters with their defaults. */
export function kindList(
  asked: string,
  { option, kinds }: { readonly option: string; readonly kinds: readonly Choice[] },
): string {
  if (asked !== 'list')
    throw new OptionError('bad-list', `${option} takes the word list; got "${asked}"`)
  const names = kinds.flatMap(({ name, parameters = [] }) => [
    name.length,
    ...parameters.map((each) => each.name.length + each.default.length + 3),
  ])
  const width = Math.max(...names)
  const lines = kinds.flatMap(({ name, summary, parameters = [] }) => [
    `${name.padEnd(width)}  ${summary}`,
    ...parameters.map(
      (each) => `${`  ${each.name}=${each.default}`.padEnd(width)}    ${each.description}`,
    ),
  ])
  return `${lines.join('\n')}\n`
}
