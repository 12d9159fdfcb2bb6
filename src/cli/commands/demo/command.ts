import { type CompareRow, compareWays } from '../../../lab/demo/compare-ways.js'
import { DemoLoop } from '../../../lab/demo/demo-loop.js'
import { DemoWatch } from '../../../lab/demo/demo-watch.js'
import { humanDuration } from '../../../model/duration.js'
import { percent } from '../../../model/units.js'
import { type FlagsOf, plainCommand } from '../../command.js'
import { type Environment, exitCode, exitCodeHelp } from '../../environment.js'
import { jsonText } from '../../text/json.js'
import { columns, tableText } from '../../text/table.js'
import { type DemoSettings, demoOptions, demoSettings } from './options.js'
import { demoSummary, type Finished, LiveView, summaryText } from './view.js'

/** `revisit demo --compare`: the same budget spent in four ways, side by side. */
async function compareCommand(environment: Environment, settings: DemoSettings): Promise<number> {
  const end = new AbortController()
  const forget = environment.onInterrupt?.(() => end.abort())
  try {
    const rows = await compareWays({
      ...settings,
      duration: settings.compareTime,
      version: environment.version,
      end,
      progress: (way) => environment.err.write(`${way} ...\n`),
    })
    environment.out.write(settings.json ? jsonText(rows) : compareText(rows, settings))
  } finally {
    forget?.()
  }
  return exitCode.done
}

function compareText(rows: readonly CompareRow[], { perPage, seed }: DemoSettings): string {
  const titles = ['policy', '>visits', '>requests', '>a page and day', '>fresh', '>predicted']
  const table = tableText({
    columns: columns(...titles, '>later on', '>predicted'),
    rows: rows.map((row) => [
      row.way,
      String(row.visits),
      String(row.requests),
      row.perPage.toFixed(2),
      percent(row.freshness),
      predictedText(row.predicted),
      percent(row.lateFreshness),
      predictedText(row.latePredicted),
    ]),
  })
  return `The sample web of seed ${seed}, ${humanDuration(rows[0]!.demoSeconds)} of its time, ${perPage} visits a page and day\n\n${table}
fresh: share of the time in which copies really equalled the pages; later on: without the first quarter;
predicted: what was expected day by day of the same time.
A rule without a budget is scaled by one factor on its gaps, which follows as it goes.
`
}

function predictedText(share: number | null): string {
  return share === null ? '-' : percent(share)
}

/** Milliseconds between two frames, and between two lines where nobody looks. */
const frameTime = 1000
const lineTime = 10_000

/** `revisit demo`: the loop at work on a sample web. */
export const demoCommand = plainCommand({
  description:
    'Starts a sample web on this machine, 150 pages on five sites that change by known laws, and follows it with the real crawler, store and HTTP, faster than the wall clock.',
  options: demoOptions,
  more: `On a terminal the view is refreshed every second, and Ctrl-C ends the demo with its summary. Elsewhere a line tells every ten seconds how far it is; without --for the demo then ends by itself after two minutes, as it does with --json or --once-summary. --compare follows the same web by four policies, one after the other, each for 60 days unless --for says otherwise, by a clock that waits for requests: a busy machine changes nothing. --policy follows the pages by one of the policies that revisit policies lists; for barrels and declared, which read what a page declares, the pages of the sample web declare how often they change (Change-Frequency tags). Nothing is requested but pages of this machine, and the store is deleted at the end unless --folder names one.

Examples:
  revisit demo
  revisit demo --for 2min --json
  revisit demo --speed 86400 --seed 7
  revisit demo --policy malcolm-armitage-2 --for 30s --figure gaps.svg
  revisit demo --compare --for 60d --budget 1
  revisit demo --folder demo-store
${exitCodeHelp}`,
  run: (environment, _, flags) => demo(environment, flags),
})

async function demo(environment: Environment, flags: FlagsOf<typeof demoOptions>): Promise<number> {
  const settings = demoSettings(flags, { watched: environment.screen !== undefined })
  if (settings.compare) return compareCommand(environment, settings)
  if (settings.figure !== undefined) await environment.mayReplace(settings.figure)
  const end = new AbortController()
  const forget = environment.onInterrupt?.(() => end.abort())
  const loop = await DemoLoop.open({ ...settings, version: environment.version })
  try {
    const finished = await watched(loop, { settings, environment, end })
    if (settings.json) environment.out.write(jsonText(finished.summary))
    else environment.out.write(summaryText(finished, { columns: environment.out.columns }))
    if (settings.figure !== undefined) {
      const { demoFigure } = await import('./figure.js')
      await environment.save(settings.figure, demoFigure(finished, settings))
    }
  } finally {
    forget?.()
    await loop.close()
  }
  return exitCode.done
}

/** Runs the loop to its end, showing it meanwhile. */
async function watched(
  loop: DemoLoop,
  {
    settings,
    environment,
    end,
  }: { settings: DemoSettings; environment: Environment; end: AbortController },
): Promise<Finished> {
  const watch = new DemoWatch(loop, { wall: () => performance.now() / 1000 })
  const { duration } = settings
  const timer = duration === undefined ? undefined : setTimeout(() => end.abort(), duration * 1000)
  const showing = settings.quiet
    ? undefined
    : shown(watch, { settings, environment, signal: end.signal })
  try {
    loop.begin()
    await loop.crawler.run({
      signal: end.signal,
      onVisit: (saved) => watch.visited(saved),
    })
    await showing
    return await demoSummary(watch, settings)
  } finally {
    end.abort()
    clearTimeout(timer)
    await showing
  }
}

/** Renders until the signal fires; a view that fails ends the demo. */
async function shown(
  watch: DemoWatch,
  {
    settings,
    environment,
    signal,
  }: { settings: DemoSettings; environment: Environment; signal: AbortSignal },
): Promise<void> {
  const { screen, err } = environment
  const view = new LiveView(watch, settings)
  const { clock } = watch.loop.web
  const wait = (milliseconds: number) => clock.sleep((milliseconds / 1000) * settings.speed, signal)
  while (!signal.aborted) {
    if (screen === undefined) {
      await wait(lineTime)
      if (signal.aborted) break
      err.write(`${await view.line()}\n`)
      await err.flush?.()
    } else {
      screen.draw(await view.lines(screen))
      await wait(frameTime)
    }
  }
  screen?.clear()
}
