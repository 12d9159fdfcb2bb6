import { OptionError } from '../../model/errors.js'

/** A number with its noun: `1 page`, `2 pages`, `3 addresses`, `4 copies`. */
export function counted(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`
  if (/[^aeiou]y$/.test(noun)) return `${number} ${noun.slice(0, -1)}ies`
  return `${number} ${noun}${/(s|x|ch|sh)$/.test(noun) ? 'es' : 's'}`
}

/** A level of bounds in percent, as it was asked for: `95%`, `99.5%`. */
export function levelPercent(level: number): string {
  return `${Number((100 * level).toPrecision(6))}%`
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** A size as a person says it: `812 bytes`, `12 kB`, `3.4 MB`; thousands, not 1,024s. */
export function humanBytes(size: number): string {
  if (size === 1) return '1 byte'
  let value = size
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const text = unit > 0 && value < 9.95 ? value.toFixed(1) : String(Math.round(value))
  return `${text} ${units[unit]}`
}

const sizes: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 }

/** A size in bytes, as `512MB` or `2 GB`; thousands, not 1,024s. */
export function parseSize(text: string, option: string): number {
  const found = /^\s*(\d+(?:\.\d+)?)\s*([kmgt])b?\s*$/i.exec(text)
  if (found !== null && Number(found[1]) > 0)
    return Math.round(Number(found[1]) * sizes[found[2]!.toLowerCase()]!)
  throw new OptionError('bad-size', `${option} takes a size such as 2GB or 512MB; got "${text}"`)
}

/** Reads a whole number from `from` on, or up to `to`. */
export function count(from: number, to?: number): (text: string, option: string) => number {
  return (text, option) => {
    const value = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN
    if (value >= from && value <= (to ?? 2 ** 51)) return value
    const until = to === undefined ? 'on' : `to ${to}`
    throw new OptionError(
      'bad-count',
      `${option} takes a whole number from ${from} ${until}; got "${text}"`,
    )
  }
}

/** Reads one of some names, in whatever case it is written. */
export function oneOf<const Name extends string>(
  ...names: readonly Name[]
): (text: string, option: string) => Name {
  return (text, option) => {
    const found = names.find((name) => name.toLowerCase() === text.toLowerCase())
    if (found !== undefined) return found
    throw new OptionError('bad-option', `${option} takes ${names.join(', ')}; got "${text}"`)
  }
}

/** A number from 0 on. */
export function parseNumber(text: string, option: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(value)) return value
  throw new OptionError('bad-number', `${option} takes a number from 0 on; got "${text}"`)
}

/** A whole number from 1 on, or `all`. */
export function parseCountOrAll(text: string, option: string): number {
  if (text === 'all') return Infinity
  const value = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN
  if (value <= 2 ** 51) return value
  const code = `bad-${option.replace(/^--/, '')}`
  throw new OptionError(code, `${option} takes a whole number from 1, or all; got "${text}"`)
}

/** A share above 0 and below 1, as `0.95` or `95%`. */
export function parseLevel(text: string, option: string): number {
  const value = shareOf(text)
  if (value > 0 && value < 1) return value
  throw new OptionError(
    'bad-level',
    `${option} takes a share above 0 and below 1, such as 0.95; got "${text}"`,
  )
}

/** A positive relative error, as `20%` or `0.2`. */
export function parseRelativeError(text: string, option: string): number {
  const value = shareOf(text)
  if (value > 0 && value < Infinity) return value
  throw new OptionError('bad-error', `${option} takes an error such as 20% or 0.2; got "${text}"`)
}

/** A share or a percentage as a number; NaN where it is none. */
export function shareOf(text: string): number {
  const found = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*(%?)\s*$/.exec(text)
  return found === null ? Number.NaN : Number(found[1]) / (found[2] === '%' ? 100 : 1)
}
