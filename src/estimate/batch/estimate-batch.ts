import { OptionError } from '../../model/index.js'
import {
  type BatchEstimates,
  type BatchTask,
  checkRoom,
  newBatchEstimates,
  type PageRange,
} from './batch-estimates.js'
import { biasReducedBatch } from './bias-reduced.js'
import { type Columns, checkOffsets, checkShape, pageCount } from './columns.js'
import { intuitiveBatch } from './intuitive.js'
import { irregularMleBatch } from './irregular-mle.js'

const methods = {
  'irregular-mle': irregularMleBatch,
  'bias-reduced': biasReducedBatch,
  intuitive: intuitiveBatch,
} satisfies Record<string, (task: BatchTask) => void>

export type BatchMethod = keyof typeof methods
export const batchMethods = Object.keys(methods) as readonly BatchMethod[]

/**
 * Change rates and verdicts of many pages at once, by one method, into the
 * arrays given or new ones. Gaps and flags are checked as they are read. With
 * `pages`, only the entries of those pages are written. O(n).
 */
export function estimateBatch(options: {
  readonly columns: Columns
  readonly method?: BatchMethod
  readonly into?: BatchEstimates
  readonly pages?: PageRange
}): BatchEstimates {
  const { columns, method = 'irregular-mle' } = options
  checkMethod(method)
  checkShape(columns)
  const all = pageCount(columns)
  const pages = options.pages ?? { from: 0, to: all }
  checkRange(pages, all)
  checkOffsets(columns, pages)
  const into = options.into ?? newBatchEstimates(all)
  checkRoom(into, pages.to)
  methods[method]({ columns, into, pages })
  return into
}

export function checkMethod(method: string): asserts method is BatchMethod {
  if (Object.hasOwn(methods, method)) return
  throw new OptionError(
    'unknown-method',
    `no batch method is called "${method}"; there are ${batchMethods.join(', ')}`,
  )
}

function checkRange({ from, to }: PageRange, pages: number): void {
  const whole = Number.isInteger(from) && Number.isInteger(to)
  if (whole && from >= 0 && from <= to && to <= pages) return
  throw new OptionError('bad-pages', `pages go from 0 to ${pages}; got ${from} to ${to}`)
}
