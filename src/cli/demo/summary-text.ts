import { humanDuration } from '../../model/index.js'
import { findingTable } from './finding-table.js'
import { samplePages } from './sample-pages.js'
import type { Finished } from './summary.js'
import { byteWords, freshWords, percent, steadyWords } from './words.js'

/** The summary for a person: a page of each law, then what it came to. */
export function summaryText(
  { summary, findings }: Finished,
  { columns }: { readonly columns: number | undefined },
): string {
  const sample = samplePages(findings.map(({ truth }) => truth))
  const shown = sample.flatMap(({ url }) => findings.find(({ truth }) => truth.url === url) ?? [])
  const { visits, freshness } = summary
  const { firstAfterRealSeconds: first } = visits
  return [
    ...findingTable(shown, { room: columns }),
    '',
    `${summary.pages} pages on ${summary.sites} sites, ${humanDuration(summary.demoSeconds)} of demo time in ${humanDuration(summary.realSeconds)}`,
    `${visits.total} visits (${visits.perRealSecond.toFixed(0)}/s${first === null ? '' : `, the first after ${humanDuration(first)}`}): ${outcomeWords(summary)}`,
    `${percent(visits.notModifiedShare)} not modified (304), ${byteWords(visits.bytes)} received, ${summary.requests} requests in all`,
    freshWords(freshness),
    `Change period within a factor of 2 of the truth: ${steadyWords(summary.steady)}`,
    '',
  ].join('\n')
}

function outcomeWords({ visits: { byOutcome } }: Finished['summary']): string {
  return Object.entries(byOutcome)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')
}
