import { availableParallelism } from 'node:os'
import { processes } from '../../../lab/process/registry.js'
import { studyEffort } from '../../../lab/study/run-study.js'
import { type Study, studyOf } from '../../../lab/study/study.js'
import { runStudies } from '../../../lab/study/study-threads.js'
import { learners, policyKinds } from '../../../planner/registry.js'
import { plainCommand } from '../../command.js'
import { confirmed, type Environment, exitCode } from '../../environment.js'
import { kindLists } from '../../text/kind-list.js'
import {
  effortLimit,
  type SimulateFlags,
  type SimulateSettings,
  simulateHelp,
  simulateOptions,
  simulateSettings,
} from './options.js'
import { simulateJson, studiesText } from './results.js'

/** Below this many steps, starting threads takes longer than the work. */
const threadsFrom = 5e6

/** `revisit simulate`: how policies do on simulated pages. */
export const simulateCommand = plainCommand({
  description:
    'Visits many simulated pages by a policy, and tells how fresh the copies were, how many visits it took, and how well the change period was estimated. Several processes and policies make a table.',
  options: simulateOptions,
  more: simulateHelp,
  run: (environment, _, flags) => simulate(environment, flags),
})

async function simulate(environment: Environment, flags: SimulateFlags): Promise<number> {
  const lists = listed(flags)
  if (lists !== null) {
    environment.out.write(lists)
    return exitCode.done
  }
  const settings = simulateSettings(flags)
  if (settings.html !== undefined) await environment.mayReplace(settings.html)
  const studies = settings.specs.map((spec) => studyOf(spec))
  const steps = stepsOf(studies, settings)
  if (
    steps > effortLimit.steps &&
    !(await confirmed(environment, { ...settings, about: tooMuch(steps) }))
  )
    return exitCode.refused
  for (const line of warnings(studies)) environment.err.write(`${line}\n`)
  const results = await run(environment, { settings, steps })
  const rows = results.map((result, i) => ({
    spec: settings.specs[i]!,
    learner: studies[i]!.planner.learner?.name ?? null,
    result,
  }))
  environment.out.write(settings.json ? simulateJson(rows) : studiesText(rows))
  if (settings.html !== undefined) {
    const { simulateHtml } = await import('./html.js')
    await environment.save(settings.html, simulateHtml(rows, environment))
  }
  return exitCode.done
}

function listed(flags: SimulateFlags): string | null {
  const lists = [
    { option: 'processes', asked: flags.processes, kinds: processes },
    { option: 'policies', asked: flags.policies, kinds: policyKinds },
    { option: 'learners', asked: flags.learners, kinds: learners },
  ]
  return kindLists(lists, { json: flags.json === true })
}

function stepsOf(studies: readonly Study[], { specs }: SimulateSettings): number {
  const efforts = studies.map((study, i) => studyEffort(study, { pages: specs[i]!.pages }))
  return efforts.reduce((sum, { visits, changes }) => sum + visits + changes, 0)
}

function tooMuch(steps: number): string {
  return `this takes about ${steps.toExponential(1)} simulated visits and changes, more than ${effortLimit.words}`
}

/** A policy that needs what its pages do not report would learn nothing, in silence. */
function warnings(studies: readonly Study[]): string[] {
  const blind = studies.find(
    ({ planner, lastModified }) =>
      planner.learner?.name === 'mean-content-age' && lastModified === 'missing',
  )
  return blind === undefined
    ? []
    : [
        `revisit: ${blind.planner.policy.name} with mean-content-age learns nothing without Last-Modified; try --last-modified honest`,
      ]
}

async function run(
  environment: Environment,
  { settings, steps }: { settings: SimulateSettings; steps: number },
) {
  const { specs } = settings
  const total = specs.reduce((sum, { pages }) => sum + pages, 0)
  const progress = environment.progress({ label: 'simulating', total, writes: false })
  const threads = settings.threads ?? (steps < threadsFrom ? 1 : availableParallelism())
  try {
    return await runStudies(specs, { threads, onPages: (done) => progress.at(done) })
  } finally {
    progress.stop()
  }
}
