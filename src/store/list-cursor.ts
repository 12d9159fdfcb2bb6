import { OptionError } from '../model/index.js'

/** Where a stretch of a list ended: the value it is sorted by, and the page's place in the store. */
export interface ListCursor {
  readonly value: number | string | null
  readonly id: number
}

export function writeCursor({ value, id }: ListCursor): string {
  return Buffer.from(JSON.stringify([value, id])).toString('base64url')
}

export function readCursor(text: string): ListCursor {
  try {
    const [value, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [
      ListCursor['value'],
      number,
    ]
    if (Number.isInteger(id) && isValue(value)) return { value, id }
  } catch {
    // Not ours: refused below like any other.
  }
  throw new OptionError(
    'bad-cursor',
    `${text.slice(0, 40)} is not where a list ended; start from its beginning`,
  )
}

function isValue(value: unknown): value is ListCursor['value'] {
  return value === null || typeof value === 'number' || typeof value === 'string'
}
