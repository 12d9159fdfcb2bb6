import { type StoreStatus, storeStatus } from '../../crawler/processes/store-status.js'
import { humanDuration, humanMoment } from '../../model/duration.js'
import { percent } from '../../model/units.js'
import { storeCommand } from '../command.js'
import { configured, withStore } from '../configured.js'
import { exitCode, type TextOutput } from '../environment.js'
import { jsonText } from '../text/json.js'
import { counted } from '../text/numbers.js'
import { AlignedTable, columns } from '../text/table.js'

/** `revisit status`: who is at work on the store, how far behind, and what a request costs. */
export const statusCommand = storeCommand({
  description:
    'Who is at work on the store: its workers with their last sign of life and the pages they hold, who does the chores (the scan that sets price and prior), how long the page that is due the longest has waited, and what a request costs. It only looks.',
  async run(environment, _, flags) {
    const made = await configured(environment, flags)
    const { collection } = made.config
    const status = await withStore(
      made,
      (store) => storeStatus(store, { collection, now: made.crawler.clock.now() }),
      { readOnly: true },
    )
    if (flags.json === true) environment.out.write(jsonText(status))
    else writeStatus(status, environment.out)
    return exitCode.done
  },
})

function writeStatus(status: StoreStatus, out: TextOutput): void {
  const { now, workers, chores } = status
  out.write(`${pagesText(status)}\n${priceText(status)}\n`)
  if (workers.length === 0) out.write('no worker has reported; start one: revisit worker\n')
  else {
    out.write('\n')
    const titles = ['worker', 'as', 'version', 'since', 'last sign of life', '>pages held']
    const table = new AlignedTable(columns(...titles), out)
    for (const { name, role, version, since, lastSign, leases, alive } of workers)
      table.row([
        name,
        role,
        version,
        humanMoment(since, now),
        alive ? humanMoment(lastSign, now) : `${humanMoment(lastSign, now)}: gone or frozen`,
        String(leases),
      ])
    table.end()
  }
  for (const { name, worker, since, held } of chores)
    out.write(
      held
        ? `\n${name}: ${worker}, since ${humanMoment(since, now)}\n`
        : `\n${name}: was begun by ${worker}, which is gone; the next worker takes it over\n`,
    )
}

function pagesText({ collection, pages, hosts, dueNow, inFlight, lag }: StoreStatus): string {
  const all = `collection "${collection}": ${counted(pages, 'page')} of ${counted(hosts, 'host')}`
  const due =
    dueNow === 0
      ? 'none due'
      : `${counted(dueNow, 'page')} due, the first of them for ${humanDuration(lag)}`
  return `${all}; ${due}; ${inFlight} held for a visit`
}

function priceText({ price, scannedAt, predictedFreshness, now }: StoreStatus): string {
  const fresh =
    predictedFreshness === null ? '' : `, copies fresh ${percent(predictedFreshness)} of the time`
  const scanned =
    scannedAt === null ? 'never scanned' : `scanned ${humanMoment(scannedAt, now)}${fresh}`
  return `a request costs ${humanDuration(price)} of freshness; ${scanned}`
}
