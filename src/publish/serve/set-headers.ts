import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Headers in any of the forms that `writeHead` takes: by name, or one after the other in a list. */
export function setHeaders(
  response: ServerResponse,
  headers: OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined,
): void {
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers ?? {}))
      if (value !== undefined) response.setHeader(name, value)
    return
  }
  const pairs = Array.isArray(headers[0])
    ? (headers as unknown as [string, string][])
    : headers.flatMap((name, i) => (i % 2 === 0 ? [[String(name), headers[i + 1] as string]] : []))
  const seen = new Set<string>()
  for (const [name, value] of pairs as [string, string][]) {
    if (seen.has(name.toLowerCase())) response.appendHeader(name, value)
    else response.setHeader(name, value)
    seen.add(name.toLowerCase())
  }
}
