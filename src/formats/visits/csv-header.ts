import { InputError } from '../../model/index.js'
import { quotedText } from '../bytes/shown.js'
import { fieldNames } from './visit-fields.js'

/**
 * Which field of a visit each column of a CSV fills: an index into
 * `fieldNames`, or -1 for a column that is of no use here. Throws if a column
 * that every log needs is missing, or if one is there twice.
 */
export function csvHeader(header: readonly string[], line: number): readonly number[] {
  const names = header.map((name) => name.trim().toLowerCase())
  const columns = names.map((name) => (fieldNames as readonly string[]).indexOf(name))
  const has = (name: string) => names.includes(name)
  const missing = ['url', 'at'].filter((name) => !has(name))
  if (!has('changed') && !has('digest')) missing.push('changed (or digest)')
  if (missing.length > 0) throw missingColumn({ missing, names, line })
  for (const name of fieldNames) {
    if (names.indexOf(name) === names.lastIndexOf(name)) continue
    throw new InputError('double-column', `the column ${name} is there twice; rename one`, { line })
  }
  return columns
}

function missingColumn(about: {
  missing: readonly string[]
  names: readonly string[]
  line: number
}): InputError {
  const found = about.names.slice(0, 12).map(quotedText).join(', ')
  return new InputError(
    'missing-column',
    `the header lacks ${about.missing.join(' and ')}; it has ${found}. A log begins with a line such as url,at,changed`,
    { line: about.line },
  )
}
