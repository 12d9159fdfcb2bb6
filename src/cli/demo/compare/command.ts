import { humanDuration } from '../../../model/index.js'
import { exitCode } from '../../exit-code.js'
import { tableText } from '../../text/table-text.js'
import type { World } from '../../world.js'
import type { DemoSettings } from '../settings.js'
import { percent } from '../words.js'
import { type CompareRow, compareWays } from './compare.js'

/** `revisit demo --compare`: the same budget spent in four ways, side by side. */
export async function compareCommand(world: World, settings: DemoSettings): Promise<number> {
  const end = new AbortController()
  const forget = world.onInterrupt?.(() => end.abort())
  try {
    const rows = await compareWays({
      settings,
      version: world.version,
      end,
      progress: (way) => world.err.write(`${way} ...\n`),
    })
    world.out.write(settings.json ? `${JSON.stringify(rows)}\n` : compareText(rows, settings))
  } finally {
    forget?.()
  }
  return exitCode.done
}

function compareText(rows: readonly CompareRow[], { perPage, seed }: DemoSettings): string {
  const table = tableText(
    [
      { title: 'policy', align: 'left' },
      { title: 'visits', align: 'right' },
      { title: 'requests', align: 'right' },
      { title: 'a page and day', align: 'right' },
      { title: 'fresh', align: 'right' },
      { title: 'foretold', align: 'right' },
      { title: 'later on', align: 'right' },
      { title: 'foretold', align: 'right' },
    ],
    rows.map((row) => [
      row.way,
      String(row.visits),
      String(row.requests),
      row.perPage.toFixed(2),
      percent(row.freshness),
      foretoldText(row.predicted),
      percent(row.lateFreshness),
      foretoldText(row.latePredicted),
    ]),
  )
  return `The sample web of seed ${seed}, ${humanDuration(rows[0]!.demoSeconds)} of its time, ${perPage} visits a page and day\n\n${table}
fresh: share of the time in which copies really equalled the pages; later on: without the first quarter;
foretold: what was thought day by day of the same time.
A rule without a budget is scaled by one factor on its gaps, which follows as it goes.
`
}

function foretoldText(share: number | null): string {
  return share === null ? '-' : percent(share)
}
