import { OptionError } from '../../model/errors.js'
import { jsonText } from './json.js'

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

/** Things to choose from, and the option that asks for their list. */
export interface KindList {
  /** Without its dashes. */
  readonly option: string
  /** What stands after it; nothing where it was not given. */
  readonly asked: string | undefined
  readonly kinds: readonly Choice[]
}

/**
 * What `--policies list` and its like print: names, summaries, and parameters
 * with their defaults; as JSON one object with an array for each list. Null
 * where none was asked for.
 */
export function kindLists(
  lists: readonly KindList[],
  { json }: { readonly json: boolean },
): string | null {
  const asked = lists.filter((each) => each.asked !== undefined)
  for (const { option, asked: word } of asked)
    if (word !== 'list')
      throw new OptionError('bad-list', `--${option} takes the word list; got "${word}"`)
  if (asked.length === 0) return null
  if (!json) return asked.map(({ kinds }) => kindsText(kinds)).join('\n')
  const records = asked.map(({ option, kinds }) => [option, kinds.map(kindRecord)])
  return jsonText(Object.fromEntries(records))
}

function kindRecord({ name, summary, parameters = [] }: Choice): Required<Choice> {
  const records = parameters.map((each) => ({
    name: each.name,
    default: each.default,
    description: each.description,
  }))
  return { name, summary, parameters: records }
}

function kindsText(kinds: readonly Choice[]): string {
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
