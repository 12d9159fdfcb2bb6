import {
  AnyTimeHistories,
  ForwardHistories,
  PageByPage,
  type PageHistories,
  type PageHistory,
  Problems,
  type ReadReport,
} from '../../formats/index.js'
import { exitCode } from '../exit-code.js'
import type { World } from '../world.js'
import { chooseWriter } from './choose-writer.js'
import { type HtmlReport, openReport, saveReport } from './html/html-report.js'
import { logOf } from './log.js'
import { pageOrder } from './page-order.js'
import type { PageWriter } from './page-writer.js'
import { closingLine, problemLines, type Tally } from './report.js'
import { type EstimateFlags, type EstimateSettings, estimateSettings } from './settings.js'
import { fileAfterDates } from './view.js'

/** `revisit estimate FILE`: how often each page of a log changes. Gives the exit code. */
export async function estimateCommand(
  world: World,
  { file, flags }: { file: string | undefined; flags: EstimateFlags },
): Promise<number> {
  const settings = estimateSettings(flags, { clock: world.now() })
  const log = fileAfterDates(file, flags)
  if (settings.html !== undefined)
    await world.mayReplace(settings.html, log === undefined ? [] : [log])
  const html = settings.html === undefined ? undefined : await openReport(settings)
  const run = new EstimateRun(world, { settings, html })
  const tally = await (settings.sorted ? run.streamed(log) : run.gathered(log))
  report(world, { tally, settings })
  if (html !== undefined && tally.visits > 0) await saveReport(world, { html, log, tally })
  return tally.visits === 0 ? exitCode.nothingLeft : exitCode.done
}

class EstimateRun {
  readonly #world: World
  readonly #settings: EstimateSettings
  readonly #problems: Problems
  readonly #writer: PageWriter
  readonly #html: HtmlReport | undefined
  #changes = 0
  #written = 0

  constructor(
    world: World,
    { settings, html }: { settings: EstimateSettings; html: HtmlReport | undefined },
  ) {
    this.#world = world
    this.#settings = settings
    this.#html = html
    this.#problems = new Problems({ strict: settings.strict })
    this.#writer = chooseWriter(settings, world.out)
  }

  /** A log sorted by page: each page is written as it ends, and nothing is kept. */
  async streamed(file: string | undefined): Promise<Tally> {
    const pages = new PageByPage({ now: this.#settings.now, each: (page) => this.#show(page) })
    const read = await this.#read(file, pages.take)
    pages.finish()
    return this.#end(pages, read)
  }

  /** A log in any order: read to the end, then written. */
  async gathered(file: string | undefined): Promise<Tally> {
    const { now, sort } = this.#settings
    const { seed } = this.#world
    const histories = new (sort ? AnyTimeHistories : ForwardHistories)({ now, seed })
    const read = await this.#read(file, histories.take)
    if (histories instanceof AnyTimeHistories) histories.finish(this.#problems)
    await this.#showAll(histories)
    return this.#end(histories, read)
  }

  #read(file: string | undefined, take: PageByPage['take']): Promise<ReadReport> {
    const problems = this.#problems
    const seen = this.#html?.noting(take) ?? take
    return logOf(this.#world, { file, take: seen, settings: this.#settings, problems })
  }

  async #showAll(histories: PageHistories): Promise<void> {
    const progress = this.#world.progress({
      label: 'estimating',
      total: histories.pages,
      writes: true,
    })
    for (const page of pageOrder(histories, this.#settings)) {
      this.#show({ url: histories.url(page), history: histories.history(page) })
      progress.at(this.#written)
      if (this.#written % 100 === 0) await this.#world.out.drained()
    }
    progress.stop()
  }

  #show(page: PageHistory): void {
    for (const { changed } of page.history?.observations ?? []) if (changed) this.#changes++
    if (this.#written++ >= this.#settings.top) return
    this.#writer.page(page)
    this.#html?.page(page)
  }

  #end({ pages, visits }: { pages: number; visits: number }, read: ReadReport): Tally {
    this.#writer.end()
    return { pages, visits, changes: this.#changes, problems: this.#problems, read }
  }
}

/** What a person reads beside the estimates: on stderr, so that JSON stays JSON. */
function report(
  { out, err }: World,
  { tally, settings }: { tally: Tally; settings: EstimateSettings },
): void {
  for (const line of problemLines(tally.problems, tally.read)) err.write(`${line}\n`)
  const closing = `${closingLine(tally)}\n`
  if (tally.visits === 0)
    err.write(
      `${closing.trimEnd()}: there was no visit to estimate from; see revisit estimate --help\n`,
    )
  else if (settings.json) err.write(closing)
  else out.write(`\n${closing}`)
}
