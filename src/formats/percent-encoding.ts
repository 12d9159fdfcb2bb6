const unreserved = /^[A-Za-z0-9._~-]$/

/**
 * The one way to write a path or a query: `%7E` becomes `~` (unreserved
 * characters are not escaped), `%3c` becomes `%3C`, and what may not stand in a
 * URL, such as a space or a letter outside ASCII, is escaped as UTF-8. Reserved
 * characters stay as they are, since `/` and `%2F` are different. A percent
 * sign that escapes nothing stays, and nothing after it is decoded that would
 * make an escape of it: `%%34%31` must not become `%41`. Applied twice it
 * changes nothing more. RFC 3986, 6.2.2. O(n).
 */
export function percentNormalForm(text: string): string {
  if (plain.test(text)) return text
  let normal = ''
  let from = 0
  for (const { 0: part, index } of text.matchAll(escapeOrOther)) {
    normal += text.slice(from, index)
    normal += part.length === 3 && part[0] === '%' ? escapeAfter(normal, part) : escaped(part)
    from = index + part.length
  }
  return normal + text.slice(from)
}

const plain = /^[\w.~!$&'()*+,;=:@/?-]*$/
const escapeOrOther = /%[\dA-Fa-f]{2}|[^\w.~!$&'()*+,;=:@/?#[\]%-]+/g

function escapeAfter(before: string, part: string): string {
  const char = String.fromCharCode(Number.parseInt(part.slice(1), 16))
  const completes = hexDigit.test(char) && openEscape.test(before.slice(-2))
  return unreserved.test(char) && !completes ? char : part.toUpperCase()
}

const hexDigit = /[\dA-Fa-f]/
const openEscape = /%[\dA-Fa-f]?$/

/** Half of a surrogate pair has no UTF-8 and stays; it comes from no bytes. */
function escaped(text: string): string {
  return halfPair.test(text) ? text : Array.from(encoder.encode(text), hex).join('')
}

const encoder = new TextEncoder()
const halfPair = /\p{Surrogate}/u

function hex(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
