import { dialectNamed } from '../../../estimators/bulk/dialect.js'
import { type BulkMethod, bulkMethod, bulkMethods } from '../../../estimators/bulk/statement.js'
import { OptionError } from '../../../model/errors.js'
import type { EngineSettings } from '../../bulk/engine.js'
import { engineOptions, engineSettings } from '../../bulk/engine-options.js'
import type { FlagsOf } from '../../command.js'
import type { Environment } from '../../environment.js'
import { oneOf } from '../../text/numbers.js'
import type { EstimateFlags, EstimateSettings } from './options.js'

/** What `revisit estimate` takes for logs that are too large for one thread. */
export const bulkOptions = [
  [
    '--engine <name>',
    'duckdb: estimates by SQL over many Parquet files and folders',
    oneOf('duckdb'),
  ],
  ['--output <file>', 'with the engine, write results as .parquet, .csv or .jsonl'],
  ...engineOptions,
  ['--print-sql <name>', 'print the statement for duckdb or spark, and do nothing', dialectNamed],
  ['--sums', 'with --print-sql: over a table visit_sums of what revisit sums made'],
] as const

type BulkFlags = FlagsOf<typeof bulkOptions>

const outputFormats = { parquet: 'parquet', csv: 'csv', jsonl: 'jsonl', ndjson: 'jsonl' } as const

/** How the engine is used, checked. */
export interface BulkSettings extends EngineSettings {
  readonly method: BulkMethod
  readonly output:
    | { readonly path: string; readonly format: 'parquet' | 'csv' | 'jsonl' }
    | undefined
}

/** A Parquet file of this many bytes is estimated by the engine without being asked: from there on it is faster. */
const large = 3.2e7

/** What is asked for that only the engine can do; undefined where nothing is. */
function asksForEngine(flags: BulkFlags, files: readonly string[]): string | undefined {
  if (flags.engine !== undefined) return '--engine'
  for (const option of ['output', 'memory', 'threads', 'spill'] as const)
    if (flags[option] !== undefined) return `--${option}`
  if (files.length > 1) return 'reading several files'
  return files[0] !== undefined && /[*?[]/.test(files[0]) ? `the pattern ${files[0]}` : undefined
}

/** Whether the engine computes the estimates: it was asked for, or the log is large Parquet. */
export async function usesEngine(
  environment: Environment,
  about: { files: readonly string[]; flags: EstimateFlags; settings: EstimateSettings },
): Promise<boolean> {
  const { files, flags, settings } = about
  if (flags.sums === true)
    throw new OptionError(
      'options-conflict',
      '--sums goes with --print-sql; to estimate from sums name their folder',
    )
  const asked = asksForEngine(flags, files)
  const [path] = files
  const there = path === undefined || path === '-' ? undefined : await environment.found(path)
  const why = asked ?? (there?.isFolder ? `reading the folder ${path}` : undefined)
  if (why === undefined) {
    const isLarge = there?.head.startsWith('PAR1') === true && there.size >= large
    return isLarge && otherThanEngine(flags, settings) === undefined
  }
  if (files.length > 1 && flags.engine === undefined && !files.every(isParquetName))
    throw new OptionError(
      'too-many-files',
      `too many arguments: several files are read only where they are Parquet; got ${files.join(' ')}`,
    )
  const other = otherThanEngine(flags, settings)
  if (other === undefined) return true
  throw new OptionError('options-conflict', `${other} does not go with ${why}; ${whatItDoes}`)
}

const whatItDoes = `the engine gives change rates with bounds, by ${bulkMethods.join(', ')}, from Parquet`

function isParquetName(file: string): boolean {
  return file.endsWith('.parquet') || /[*?[]/.test(file)
}

/** An option that the engine does not know; undefined where it can do all that is asked. */
function otherThanEngine(flags: EstimateFlags, { estimators, format, view }: EstimateSettings) {
  if (view.kind !== 'estimate') return `--${view.kind}`
  if (flags.prior?.trim() === 'empirical') return '--prior empirical'
  const others = ['compare', 'csv', 'html', 'sorted'] as const
  const other = others.find((each) => flags[each] !== undefined)
  if (other !== undefined) return `--${other}`
  if (format !== undefined && format !== 'parquet') return `--format ${format}`
  const name = methodOf(estimators[0]!.name)
  return bulkMethods.some((each) => each === name) ? undefined : `--method ${name}`
}

/** The estimator's name without what a prior adds to it. */
function methodOf(name: string): string {
  return name.replace(/-with-prior$/, '')
}

export function bulkSettings(flags: EstimateFlags, { estimators }: EstimateSettings): BulkSettings {
  const { output } = flags
  return {
    ...engineSettings(flags),
    method: bulkMethod(methodOf(estimators[0]!.name)),
    output: output === undefined ? undefined : { path: output, format: outputFormat(output) },
  }
}

function outputFormat(path: string): 'parquet' | 'csv' | 'jsonl' {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  if (Object.hasOwn(outputFormats, ending))
    return outputFormats[ending as keyof typeof outputFormats]
  throw new OptionError(
    'bad-output',
    `--output takes a file that ends in .parquet, .csv or .jsonl; got ${path}`,
  )
}
