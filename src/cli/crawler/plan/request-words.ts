/** So many requests, in words. */
export function requests(count: number): string {
  return `${short(count)} request${short(count) === '1' ? '' : 's'}`
}

/** A number to three digits, or to whole ones. */
export function short(value: number): string {
  return String(value >= 100 ? Math.round(value) : Number(value.toPrecision(3)))
}
