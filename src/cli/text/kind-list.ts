import { OptionError } from '../../model/errors.js'
import { policyKinds } from '../../planner/registry.js'
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
  /** Lines below the summary: what each is about, and its text. */
  readonly notes?: readonly (readonly [about: string, text: string])[]
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

/** A choice for a program. */
export function kindRecord({ name, summary, parameters = [] }: Choice): Omit<Choice, 'notes'> {
  const records = parameters.map((each) => ({
    name: each.name,
    default: each.default,
    description: each.description,
  }))
  return { name, summary, parameters: records }
}

/** Choices for a person: a line each, then its notes and its parameters with their defaults. */
export function kindsText(kinds: readonly Choice[]): string {
  const names = kinds.flatMap(({ name, parameters = [] }) => [
    name.length,
    ...parameters.map((each) => each.name.length + each.default.length + 3),
  ])
  const width = Math.max(...names)
  const lines = kinds.flatMap(({ name, summary, notes = [], parameters = [] }) => [
    `${name.padEnd(width)}  ${summary}`,
    ...notes.map(([about, text]) => `${`  ${about}`.padEnd(width)}    ${text}`),
    ...parameters.map(
      (each) => `${`  ${each.name}=${each.default}`.padEnd(width)}    ${each.description}`,
    ),
  ])
  return `${lines.join('\n')}\n`
}

/** Names and summaries, a line each, below a heading: for a help. */
export function kindsHelp(heading: string, kinds: readonly Choice[]): string {
  const widest = Math.max(...kinds.map(({ name }) => name.length))
  const lines = kinds.map(({ name, summary }) => `  ${name.padEnd(widest)}  ${summary}`)
  return `${heading}\n${lines.join('\n')}`
}

/** The policies with a line each, for commands that take one. */
export const policiesHelp = `${kindsHelp('Policies, by name (--policy):', policyKinds)}

Parameters follow a colon: --policy fixed:gap=1d. revisit policies lists them, with their defaults and papers.`
