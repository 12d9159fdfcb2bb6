import { OptionError, type Seconds, type UnixSeconds } from '../../model/index.js'
import { parseDate } from '../text/parse-time.js'

/** After the first time, up to and including the second; see `TimeSpan`. */
export interface Span {
  readonly from: UnixSeconds
  readonly to: UnixSeconds
}

/** What of each page is shown. */
export type View =
  | { readonly kind: 'estimate' | 'distribution' | 'trend' | 'months' }
  | { readonly kind: 'between'; readonly span: Span }

export interface ViewFlags {
  readonly distribution?: boolean
  readonly trend?: boolean
  readonly months?: boolean
  /** As many words as followed; the third may be the log. */
  readonly between?: readonly string[]
}

const kinds = ['distribution', 'trend', 'between', 'months'] as const

/** The one view that is asked for; the estimates themselves if none is. */
export function viewOf(
  flags: ViewFlags & { readonly compare?: boolean },
  { zone }: { readonly zone: Seconds },
): View {
  const asked = kinds.filter((kind) => flags[kind] !== undefined)
  const all = flags.compare === true ? ['compare', ...asked] : asked
  if (all.length > 1)
    throw new OptionError(
      'options-conflict',
      `${all.map((kind) => `--${kind}`).join(' and ')} do not go together; ask for one at a time`,
    )
  const kind = asked[0]
  if (kind === undefined) return { kind: 'estimate' }
  return kind === 'between' ? { kind, span: spanOf(flags.between!, zone) } : { kind }
}

/** `--between A B FILE`: the option takes all words that follow, the log among them. */
export function fileAfterDates(
  file: string | undefined,
  { between }: ViewFlags,
): string | undefined {
  if (between === undefined || between.length < 3) return file
  if (between.length === 3 && file === undefined) return between[2]
  throw new OptionError('bad-span', `--between takes two dates; got ${between.join(' ')}`)
}

function spanOf(words: readonly string[], zone: Seconds): Span {
  if (words.length < 2)
    throw new OptionError(
      'bad-span',
      '--between takes two dates, such as --between 2026-01-01 2026-02-01',
    )
  const date = (i: number) => parseDate(words[i]!, { option: '--between', zone })
  const [from, to] = [date(0), date(1)]
  if (from < to) return { from, to }
  throw new OptionError('bad-span', 'the first date of --between must lie before the second')
}
