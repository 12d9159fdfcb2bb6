import { OptionError } from '../../model/index.js'
import { readHistories } from '../evaluate/read-histories.js'
import { exitCode } from '../exit-code.js'
import { AlignedTable } from '../text/aligned-table.js'
import { parseCount } from '../text/parse-count.js'
import type { World } from '../world.js'
import { type AgeingShares, ageingShares } from './ageing-shares.js'

export interface LawsFlags {
  readonly histories?: string
  readonly objects?: string
  readonly seed?: string
  readonly json?: boolean
}

/** `revisit laws`: which kinds of update gaps recorded pages have. Gives the exit code. */
export async function lawsCommand(world: World, flags: LawsFlags): Promise<number> {
  const { histories, objects } = flags
  if (histories === undefined)
    throw new OptionError(
      'no-histories',
      'which histories? Give --histories updates.csv and, if there is one, --objects objects.csv',
    )
  const seed = flags.seed === undefined ? 1 : parseCount(flags.seed, { option: '--seed', from: 0 })
  const shares = ageingShares(await readHistories(world, { histories, objects }), { seed })
  if (flags.json) world.out.write(`${JSON.stringify(shares)}\n`)
  else writeTable(world, shares)
  return exitCode.done
}

function writeTable({ out }: World, shares: readonly AgeingShares[]): void {
  const titles = [
    'source',
    'pages',
    'too few changes',
    'NWU (bursty)',
    'NBU (regular)',
    'near Poisson',
    'median shape',
  ]
  const columns = titles.map((title, i) => ({
    title,
    align: i === 0 ? ('left' as const) : ('right' as const),
  }))
  const table = new AlignedTable(columns, { write: (text) => out.write(text), room: out.columns })
  const percent = (share: number, each: AgeingShares) =>
    each.pages > 0 ? `${(100 * share).toFixed(1)}%` : '-'
  for (const each of shares) {
    table.row([
      each.source,
      String(each.pages),
      String(each.unfitted),
      percent(each.NWU, each),
      percent(each.NBU, each),
      percent(each.memoryless, each),
      each.medianShape === null ? '-' : each.medianShape.toFixed(2),
    ])
  }
  table.end()
}
