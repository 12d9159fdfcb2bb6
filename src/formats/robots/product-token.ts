/** The name a crawler goes by in robots.txt: `Revisit/1.0 (+https://...)` is `revisit`. */
export function productToken(agent: string): string {
  return (agent.split('/')[0] ?? '').trim().toLowerCase()
}

/**
 * The names a User-agent line may be found by: the whole one, and its first
 * word, since webmasters write `Revisit (+https://...)`, `Revisit, Other` or
 * `Revisit Crawler` where the standard wants `Revisit` alone (RFC 9309, 2.2.1).
 */
export function lineNames(value: string): readonly string[] {
  const whole = productToken(value)
  const first = /^[^\s,;()[\]{}]+/.exec(whole)?.[0]
  return first === undefined || first === whole ? [whole] : [whole, first]
}

/** All names of a User-Agent: crawlers that call themselves Mozilla tell theirs after `compatible;`. */
export function agentNames(agent: string): readonly string[] {
  const hidden = /compatible;\s*([^/;)]+)/i.exec(agent)?.[1]
  const names = [...lineNames(agent), ...(hidden === undefined ? [] : lineNames(hidden))]
  return names.filter((each) => each !== '')
}
