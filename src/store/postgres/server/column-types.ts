import type { ColumnType } from '../../schema.js'

const types = { integer: 'bigint', real: 'float8', text: 'text', blob: 'bytea', numbers: 'bytea' }

/** What a column of `schema.ts` is on the server. */
export function serverType(type: ColumnType): string {
  return types[type.replace('?', '') as keyof typeof types]
}
