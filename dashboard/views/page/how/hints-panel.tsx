import type { ComponentChildren } from 'preact'
import { humanDuration, humanMoment, humanPeriod } from '../../../../src/model/duration.js'
import type { Claim } from '../../../../src/model/hint.js'
import { percent } from '../../../../src/model/units.js'
import type { HintsAnswer } from '../../../../src/server/collection/hints.js'
import type { PageAnswer } from '../../../../src/server/pages/page-schema.js'
import { linkTo } from '../../../app/route.js'
import { useService } from '../../../app/service.js'
import { hintNames } from '../../../parts/hint-names.js'
import { OutsideText } from '../../../parts/outside-text.js'
import { Panel } from '../../../parts/panel.js'
import { Scrolled } from '../../../parts/scrolled.js'
import { Moment } from '../../../parts/time.js'
import { count, plural } from '../../../parts/words.js'

/** What the publisher says of the page's changes, and how far it was right; nothing where it says nothing. */
export function HintsPanel({
  page: { validators },
  hints,
}: {
  page: PageAnswer
  hints: HintsAnswer | null
}) {
  const { now } = useService()
  const kept = hints?.reported ?? []
  const sent = Object.entries(validators).filter(([, value]) => value !== undefined)
  if (kept.length === 0 && sent.length === 0) return null
  return (
    <Panel
      title="What the publisher says"
      size="half"
      note="And how often a visit ended as predicted."
    >
      {kept.length === 0 ? null : (
        <Scrolled what="Hints of the publisher">
          <table class="hints-table rows-on-phone">
            <thead>
              <tr>
                <th scope="col">Hint</th>
                <th scope="col">says</th>
                <th scope="col">was right</th>
                <th scope="col">trusted</th>
              </tr>
            </thead>
            <tbody>
              {kept.map((hint) => (
                <tr key={hint.kind}>
                  <th scope="row">
                    {hintNames[hint.kind] ?? <OutsideText text={hint.kind} />}
                    {hint.source === null ? null : (
                      <div class="small">
                        <a href={linkTo(['pages', hint.source])}>where it says so</a>
                      </div>
                    )}
                  </th>
                  <td data-label="says">{claimWords(hint.claim, now())}</td>
                  <td data-label="was right">
                    {tallyWords(hint)}
                    <div class="muted small">{hostWords(hint.onHost)}</div>
                  </td>
                  <td data-label="trusted">
                    {hint.trusted ? 'yes' : 'no'}
                    <div class="muted small">
                      {percent(hint.reliability)} likely to tell more than a guess
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
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

function claimWords(claim: Claim, now: number): ComponentChildren {
  switch (claim.says) {
    case 'changed-at':
      return (
        <>
          changed {humanMoment(claim.at, now)} (<Moment at={claim.at} />)
        </>
      )
    case 'fresh-for':
      return `good for ${humanDuration(claim.duration)}`
    case 'declared':
      if (claim.declared.kind === 'static') return 'never changes'
      return claim.declared.period === null
        ? 'changes at no fixed rate'
        : `changes ${humanPeriod(claim.declared.period)}`
  }
}

type ReportedHint = HintsAnswer['reported'][number]

function tallyWords({ predicted, right }: Pick<ReportedHint, 'predicted' | 'right'>): string {
  if (predicted === 0) return 'it predicted nothing yet'
  return `${count(right)} of ${plural(predicted, 'visit')}`
}

function hostWords(onHost: ReportedHint['onHost']): string {
  return onHost.predicted === 0 ? '' : `on its host: ${tallyWords(onHost)}`
}
