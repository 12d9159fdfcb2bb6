/** The name a crawler goes by in robots.txt: `Revisit/1.0 (+https://...)` is `revisit`. */
export function productToken(agent: string): string {
  return (agent.split('/')[0] ?? '').trim().toLowerCase()
}

/** All names of a User-Agent: crawlers that call themselves Mozilla tell theirs after `compatible;`. */
export function agentNames(agent: string): readonly string[] {
  const hidden = /compatible;\s*([^/;)]+)/i.exec(agent)?.[1]
  const names = [productToken(agent), ...(hidden === undefined ? [] : [productToken(hidden)])]
  return names.filter((each) => each !== '')
}
