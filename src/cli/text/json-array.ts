/** Records for a program: one JSON array, a record a line. */
export function jsonArray(records: readonly unknown[]): string {
  if (records.length === 0) return '[]\n'
  return `[\n${records.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`
}
