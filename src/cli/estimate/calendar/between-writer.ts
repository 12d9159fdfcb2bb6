import { type ChangeRateBetween, changeRateBetween } from '../../../estimate/index.js'
import { shown } from '../../../formats/index.js'
import { type History, humanDuration, humanPeriod } from '../../../model/index.js'
import { AlignedTable } from '../../text/aligned-table.js'
import { periodWords } from '../../text/period-words.js'
import type { TextOutput } from '../../world.js'
import type { PageWriter } from '../page-writer.js'
import type { EstimateSettings, Span } from '../settings.js'

/** How often a page changed between the two dates; null where it was never seen. */
export function pageBetween(
  history: History | null,
  { span, level }: { readonly span: Span; readonly level: number },
): ChangeRateBetween | null {
  return history === null ? null : changeRateBetween(history, { ...span, level })
}

const verdictWords: Readonly<Record<ChangeRateBetween['verdict'], string>> = {
  ok: 'ok',
  'no-update': 'no update seen',
  'always-changed': 'changed at every visit',
  'not-watched': 'not watched then',
}

/** `--between A B`: how often each page changed between two dates, one page a line. */
export function betweenWriter(
  { level }: EstimateSettings,
  { span, out }: { readonly span: Span; readonly out: TextOutput },
): PageWriter {
  const table = new AlignedTable(
    [
      { title: 'page', align: 'left' },
      { title: 'updates', align: 'right' },
      { title: 'watched', align: 'left' },
      { title: 'it changed', align: 'left' },
      { title: `bounds (${Number((100 * level).toPrecision(6))}%)`, align: 'left' },
      { title: 'verdict', align: 'left' },
    ],
    { write: (text) => out.write(text), room: out.columns },
  )
  return {
    page({ url, history }) {
      const found = pageBetween(history, { span, level })
      table.row([
        shown(url),
        ...(found === null ? ['0', '-', '-', '-', 'never seen'] : cells(found)),
      ])
    },
    end: () => table.end(),
  }
}

/** Updates, time watched, period, bounds, verdict. */
export function cells(found: ChangeRateBetween): string[] {
  const period = found.changeRate ? humanPeriod(1 / found.changeRate) : '-'
  return [
    String(found.updates),
    found.watched > 0 ? humanDuration(found.watched) : '-',
    period,
    periodWords(found.bounds),
    verdictWords[found.verdict],
  ]
}
