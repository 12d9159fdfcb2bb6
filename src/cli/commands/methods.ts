import { trendEstimators } from '../../estimators/trend/trend-estimators.js'
import { named } from '../../model/named-spec.js'
import {
  learners,
  type PolicyKind,
  policyKinds,
  policyOf,
  rateEstimators,
} from '../../planner/registry.js'
import {
  distributionSources,
  estimatorSources,
  learnerSources,
  type Source,
  sourceText,
  trendSources,
} from '../../planner/sources.js'
import { plainCommand } from '../command.js'
import { type Environment, exitCode } from '../environment.js'
import { jsonText } from '../text/json.js'
import { type Choice, kindRecord, kindsText } from '../text/kind-list.js'
import { wrappedText } from '../text/wrapped-text.js'
import { lawMethods } from './estimate/distribution-options.js'

const options = [['-j, --json', 'for a program: JSON']] as const

/** `revisit policies [NAME...]`: what can be chosen with --policy. */
export const policiesCommand = plainCommand({
  description:
    'The policies there are: what each does, the paper and place it comes from, the learner it follows, and its parameters with their defaults. A policy is chosen for all pages (revisit run --policy NAME, or policy in revisit.yaml), for single pages (revisit watch URL --policy NAME), or tried out (revisit simulate, evaluate, demo).',
  arguments: [['[NAME...]', 'these policies alone']],
  options,
  more: `Parameters follow the name: malcolm-armitage-2:soft=1d,changes=none. with-hints(NAME) follows publishers' hints too.

Examples:
  revisit policies
  revisit policies grimes-ford singh
  revisit policies --json | jq '.policies[].name'`,
  run(environment, [names], { json }) {
    const kinds = chosen(policyKinds, { names, what: 'policy' })
    if (json === true) environment.out.write(jsonText({ policies: kinds.map(policyRecord) }))
    else write(environment, kindsText(kinds.map(policyChoice)))
    return exitCode.done
  },
})

/** `revisit estimators [NAME...]`: what can be chosen with --method and its like. */
export const estimatorsCommand = plainCommand({
  description:
    'The estimators and learners there are: what each does, and the paper and equation it comes from. An estimator reads the whole history of a page; a learner does the same one visit at a time, in a few numbers that are kept with the page.',
  arguments: [['[NAME...]', 'these alone']],
  options,
  more: `Examples:
  revisit estimators
  revisit estimators irregular-mle
  revisit estimators --json | jq '.estimators[].source'`,
  run(environment, [names], { json }) {
    const groups = estimatorGroups(names)
    if (json === true) {
      const records = groups.map(({ key, methods }) => [key, methods.map(methodRecord)])
      environment.out.write(jsonText(Object.fromEntries(records)))
    } else
      write(
        environment,
        groups
          .map(({ title, methods }) => `${title}:\n\n${kindsText(methods.map(methodChoice))}`)
          .join('\n'),
      )
    return exitCode.done
  },
})

function write({ out }: Environment, text: string): void {
  out.write(out.columns === undefined ? text : wrappedText(text, out.columns))
}

/** All, or those named; a name that there is not is refused with the list of what there is. */
function chosen<T extends { readonly name: string }>(
  all: readonly T[],
  { names, what }: { readonly names: readonly string[]; readonly what: string },
): readonly T[] {
  return names.length === 0 ? all : names.map((name) => named(all, { what, name }))
}

function policyChoice(kind: PolicyKind): Choice {
  const { source } = kind
  const learner = learnerOf(kind)
  const from = source === null ? [] : [['from', sourceText(source)] as const]
  const follows = learner === null ? [] : [['learner', learner.split(':')[0]!] as const]
  return { ...kind, notes: [...from, ...follows] }
}

function policyRecord(kind: PolicyKind): object {
  return { ...kindRecord(kind), learner: learnerOf(kind), source: kind.source }
}

/** The learner that it follows with its parameters as they are by default. */
function learnerOf({ name }: PolicyKind): string | null {
  return policyOf(name).learner
}

/** An estimator, a learner or a method by name, with where it comes from. */
interface Method {
  readonly name: string
  readonly summary: string
  readonly source: Source
  /** Of a learner: how many numbers it keeps of a page. */
  readonly numbers?: number
  readonly needsContentAge?: boolean
}

interface MethodGroup {
  /** In JSON. */
  readonly key: string
  readonly title: string
  readonly methods: readonly Method[]
}

/** Groups in which something is left of what was asked for. */
function estimatorGroups(names: readonly string[]): readonly MethodGroup[] {
  const groups: readonly MethodGroup[] = [
    {
      key: 'estimators',
      title: 'Change rates, for revisit estimate --method NAME and revisit show --method NAME',
      methods: rateEstimators.map((each) => sourced(each, estimatorSources)),
    },
    {
      key: 'distributions',
      title: 'The distribution of update gaps, for revisit estimate --distribution --method NAME',
      methods: lawMethods.map((each) => sourced(each, distributionSources)),
    },
    {
      key: 'trends',
      title: 'Change rates that rise or fall, for revisit estimate --trend',
      methods: trendEstimators.map((each) => sourced(each, trendSources)),
    },
    {
      key: 'learners',
      title: 'Learners, which policies follow, for revisit simulate --learner NAME',
      methods: learners.map((each) => ({ ...sourced(each, learnerSources), numbers: each.size })),
    },
  ]
  const all = groups.flatMap(({ methods }) => methods)
  const known = new Set(chosen(all, { names, what: 'estimator' }).map(({ name }) => name))
  return groups
    .map((group) => ({ ...group, methods: group.methods.filter(({ name }) => known.has(name)) }))
    .filter(({ methods }) => methods.length > 0)
}

function sourced(
  { name, summary, needsContentAge }: Omit<Method, 'source'>,
  sources: Readonly<Record<string, Source>>,
): Method {
  const about = { name, summary, source: sources[name]! }
  return needsContentAge === undefined ? about : { ...about, needsContentAge }
}

function methodChoice({ name, summary, source, needsContentAge }: Method): Choice {
  const needs = needsContentAge === true ? [['needs', 'Last-Modified'] as const] : []
  return { name, summary, notes: [['from', sourceText(source)], ...needs] }
}

function methodRecord(method: Method): object {
  return { ...method, parameters: [] }
}
