import {
  type Claim,
  humanDuration,
  humanPeriod,
  type KeptHint,
  type PageHints,
} from '../../../src/model/index.js'
import type { PageAnswer } from '../../api/answers.js'
import { useService } from '../../app/service.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'
import { count, fromNow, moment } from '../../parts/words.js'

const names: Readonly<Record<string, string>> = {
  meta: 'Change-Frequency tag',
  sitemap: 'lastmod of a sitemap',
  changefreq: 'changefreq of a sitemap',
  feed: 'dates of a feed',
  'last-modified': 'Last-Modified',
  cache: 'how long caches may keep it',
}

/** What the publisher says of the page's changes, and how far it was right; nothing where it says nothing. */
export function HintsPanel({ page: { hints, validators } }: { page: PageAnswer }) {
  const { now } = useService()
  const kept = Object.entries(kindsIn(hints))
  const sent = Object.entries(validators).filter(([, value]) => value !== undefined)
  if (kept.length === 0 && sent.length === 0) return null
  return (
    <Panel
      title="What the publisher says"
      size="half"
      note="And how often a visit ended as it was foretold."
    >
      {kept.length === 0 ? null : (
        <div class="scrolled">
          <table>
            <thead>
              <tr>
                <th scope="col">Hint</th>
                <th scope="col">says</th>
                <th scope="col">was right</th>
              </tr>
            </thead>
            <tbody>
              {kept.map(([kind, hint]) => (
                <tr key={kind}>
                  <th scope="row">
                    {names[kind] ?? <OutsideText text={kind} />}
                    {hint.source === null ? null : (
                      <div class="muted small">
                        <OutsideText text={hint.source} />
                      </div>
                    )}
                  </th>
                  <td>
                    {hint.claim === null ? 'nothing any more' : claimWords(hint.claim, now())}
                  </td>
                  <td>{tallyWords(hint)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {sent.length === 0 ? null : (
        <dl class="facts hint-facts">
          {sent.map(([name, value]) => (
            <Fact
              key={name}
              name={name === 'etag' ? 'ETag' : 'Last-Modified'}
              value={String(value)}
            />
          ))}
        </dl>
      )}
    </Panel>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd class="mono">
        <OutsideText text={value} />
      </dd>
    </>
  )
}

/** What is kept of a page's hints; older services keep none. */
function kindsIn(hints: PageAnswer['hints']): Readonly<Record<string, KeptHint>> {
  const kinds = (hints as Partial<PageHints> | null)?.kinds
  return typeof kinds === 'object' && kinds !== null ? (kinds as Record<string, KeptHint>) : {}
}

function claimWords(claim: Claim, now: number): string {
  switch (claim.says) {
    case 'changed-at':
      return `changed ${fromNow(claim.at, now)} (${moment(claim.at)})`
    case 'fresh-for':
      return `good for ${humanDuration(claim.duration)}`
    case 'declared':
      if (claim.declared.kind === 'static') return 'never changes'
      return claim.declared.period === null
        ? 'changes at no fixed pace'
        : `changes ${humanPeriod(claim.declared.period)}`
  }
}

function tallyWords({ tally: { foretold, right } }: KeptHint): string {
  if (foretold === 0) return 'it foretold nothing yet'
  return `${count(right)} of ${count(foretold)} visits`
}
