import { useState } from 'preact/hooks'
import type { UnixSeconds } from '../../../src/model/units.js'
import type { VersionAnswer } from '../../../src/server/pages/contents.js'
import type { PageAnswer } from '../../../src/server/pages/page-schema.js'
import { request } from '../../api/request.js'
import { useLoad } from '../../app/use-load.js'
import { Field } from '../../parts/field.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { OutcomeMark } from '../../parts/outcome-mark.js'
import { Panel } from '../../parts/panel.js'
import { Empty } from '../../parts/states.js'
import { Moment } from '../../parts/time.js'
import { bytes, moment, plural } from '../../parts/words.js'
import { LineRule, type PointedLine } from './choose/line-rule.js'
import { DiffView } from './diff-view.js'

/** What the last change was, or another one that was asked for: two kept versions and their difference. */
export function LastChange({
  page,
  at,
  reload,
}: {
  page: PageAnswer
  /** When the change was found that is to be shown; the last one where null. */
  at: UnixSeconds | null
  reload: () => void
}) {
  const { id, changes, visits } = page
  const loaded = useLoad(`versions ${id} ${changes} ${visits > 0}`, (signal) =>
    request('GET pages/:id/versions', { params: { id }, signal }),
  )
  return (
    <Panel title={at === null ? 'Last change' : 'What changed'} size="two-thirds">
      <LoadedView
        loaded={loaded}
        what="versions"
        absent={<p class="muted">This service keeps no versions.</p>}
      >
        {({ versions }) =>
          versions.length === 0 ? (
            <NoVersion page={page} />
          ) : (
            <Chosen page={page} versions={[...versions].reverse()} at={at} reload={reload} />
          )
        }
      </LoadedView>
    </Panel>
  )
}

/** What came instead of content, where something did. */
function NoVersion({ page: { lastVisit } }: { page: PageAnswer }) {
  if (lastVisit === null)
    return (
      <Empty title="Not visited yet.">
        <p class="muted">The first visit comes as soon as its host may be asked.</p>
      </Empty>
    )
  const { outcome, status } = lastVisit
  return (
    <Empty title="No content is kept yet.">
      <p class="muted">
        Last visit: <OutcomeMark outcome={outcome} />
        {status === null ? '.' : `, status ${status}.`}
      </p>
    </Empty>
  )
}

/** Versions come the newest first. */
function Chosen({
  page,
  versions,
  at: asked,
  reload,
}: {
  page: PageAnswer
  versions: readonly VersionAnswer[]
  at: UnixSeconds | null
  reload: () => void
}) {
  const { id } = page
  const [picked, setPicked] = useState<{ from?: number; to?: number }>({})
  const named = versions.find(({ at }) => asked !== null && at <= asked)
  const to = versions.find(({ at }) => at === picked.to) ?? named ?? versions[0]!
  const older = versions.filter(({ at }) => at < to.at)
  const from = older.find(({ at }) => at === picked.from) ?? older[0]
  return (
    <>
      <div class="row align-end">
        {versions.length === 1 ? null : (
          <Field name="Compare">
            <VersionSelect
              versions={older}
              value={from?.at}
              onChange={(at) => setPicked({ ...picked, from: at })}
            />
          </Field>
        )}
        <Field name={versions.length === 1 ? 'Version' : 'with'}>
          <VersionSelect
            versions={versions}
            value={to.at}
            onChange={(at) => setPicked({ to: at })}
          />
        </Field>
        <span class="muted small">{plural(versions.length, 'version')} kept</span>
      </div>
      {from === undefined ? (
        <p class="muted turn">
          {versions.length === 1
            ? 'No change was seen yet: this is the first version.'
            : 'There is no older version to compare with.'}
        </p>
      ) : (
        <Diff page={page} from={from.digest} to={to.digest} reload={reload} />
      )}
      <Screenshots id={id} versions={from === undefined ? [to] : [from, to]} />
      <p class="small turn">
        {versions.length === 1 ? 'It' : 'The newer one'}{' '}
        <a href={`${versionPath(id, to)}/text`}>as text</a>,{' '}
        <a href={`${versionPath(id, to)}/source`}>as it was sent</a>
      </p>
    </>
  )
}

/** How the page looked, where a screenshot was kept. */
function Screenshots({ id, versions }: { id: string; versions: readonly VersionAnswer[] }) {
  const shown = versions.filter(({ screenshot }) => screenshot)
  if (shown.length === 0) return null
  return (
    <div class="screenshots">
      {shown.map((version) => (
        <figure key={version.at}>
          <a href={`${versionPath(id, version)}/screenshot`}>
            <img
              src={`${versionPath(id, version)}/screenshot`}
              alt={`The page as it looked on ${moment(version.at)}`}
              loading="lazy"
            />
          </a>
          <figcaption class="muted small">
            <Moment at={version.at} />
          </figcaption>
        </figure>
      ))}
    </div>
  )
}

function VersionSelect({
  versions,
  value,
  onChange,
}: {
  versions: readonly VersionAnswer[]
  value: number | undefined
  onChange: (at: number) => void
}) {
  return (
    <select
      value={value ?? ''}
      disabled={versions.length === 0}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    >
      {versions.map(({ at, bytes: size }) => (
        <option key={at} value={at}>
          {moment(at)} ({bytes(size)})
        </option>
      ))}
    </select>
  )
}

/** What was compared of the two, and with one click the whole page. */
function Diff({
  page,
  from,
  to,
  reload,
}: {
  page: PageAnswer
  from: string
  to: string
  reload: () => void
}) {
  const { id } = page
  const [line, setLine] = useState<PointedLine>()
  const [whole, setWhole] = useState(false)
  const rules = JSON.stringify(page.settings.reading ?? null)
  const loaded = useLoad(`diff ${id} ${from} ${to} ${whole} ${rules}`, (signal) =>
    request('GET pages/:id/diff', { params: { id }, query: { from, to, whole }, signal }),
  )
  return (
    <>
      <LoadedView
        loaded={loaded}
        what="the difference"
        absent={<p class="muted">These versions are not kept any more, or are no text.</p>}
      >
        {(diff) => (
          <DiffView
            diff={diff}
            onRule={(kind, { text, kind: side }) =>
              setLine({ kind, text, digest: side === 'removed' ? from : to })
            }
          />
        )}
      </LoadedView>
      <button type="button" aria-pressed={whole} onClick={() => setWhole(!whole)}>
        {whole ? 'What was compared' : 'The whole page'}
      </button>
      {line === undefined ? null : (
        <LineRule
          page={page}
          line={line}
          onCancel={() => setLine(undefined)}
          onDone={() => {
            setLine(undefined)
            reload()
          }}
        />
      )}
    </>
  )
}

function versionPath(id: string, { digest }: VersionAnswer): string {
  return `./api/pages/${id}/versions/${digest}`
}
