import type { MadePlan } from './made-plan.js'

/** A plan as one CSV table: points of the curve, the three budgets, and the hosts. */
export function planCsv({ curve, now, fewer, more, hosts, pages }: MadePlan): string {
  const named = [
    ...curve.map((point) => ['curve', point] as const),
    ['fifth-fewer', fewer] as const,
    ['budget', now] as const,
    ['fifth-more', more] as const,
  ]
  const points = named.map(([kind, { requestsPerDay, freshness, price }]) =>
    [kind, '', pages, requestsPerDay, freshness, price].join(','),
  )
  const own = hosts.map(({ host, pages: count, requestsPerDay, freshness }) =>
    ['host', quoted(host), count, requestsPerDay, freshness, now.price].join(','),
  )
  return `${['kind,host,pages,requests_per_day,freshness,price_seconds', ...points, ...own].join('\n')}\n`
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
