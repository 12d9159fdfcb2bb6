import { useState } from 'preact/hooks'
import type { VersionAnswer } from '../../../src/server/pages/contents.js'
import { request } from '../../api/request.js'
import { useLoad } from '../../app/use-load.js'
import { Field } from '../../parts/field.js'
import { LoadedView } from '../../parts/loaded-view.js'
import { Panel } from '../../parts/panel.js'
import { Empty } from '../../parts/states.js'
import { bytes, moment, plural } from '../../parts/words.js'
import { DiffView } from './diff-view.js'

/** Kept versions of the page, and what is different between two. */
export function VersionsPanel({
  id,
  changes,
  visits,
}: {
  id: string
  changes: number
  visits: number
}) {
  const loaded = useLoad(`versions ${id} ${changes} ${visits > 0}`, (signal) =>
    request('GET pages/:id/versions', { params: { id }, signal }),
  )
  return (
    <Panel title="Versions">
      <LoadedView
        loaded={loaded}
        what="versions"
        absent={<p class="muted">This service keeps no versions.</p>}
      >
        {({ versions }) =>
          versions.length === 0 ? (
            <Empty title="No content is kept yet." />
          ) : (
            <Chosen id={id} versions={[...versions].reverse()} />
          )
        }
      </LoadedView>
    </Panel>
  )
}

/** Versions come the newest first. */
function Chosen({ id, versions }: { id: string; versions: readonly VersionAnswer[] }) {
  const [picked, setPicked] = useState<{ from?: number; to?: number }>({})
  const to = versions.find(({ at }) => at === picked.to) ?? versions[0]!
  const older = versions.filter(({ at }) => at < to.at)
  const from = older.find(({ at }) => at === picked.from) ?? older[0]
  return (
    <>
      <div class="row align-end">
        <Field name="Compare">
          <VersionSelect
            versions={older}
            value={from?.at}
            onChange={(at) => setPicked({ ...picked, from: at })}
          />
        </Field>
        <Field name="with">
          <VersionSelect
            versions={versions}
            value={to.at}
            onChange={(at) => setPicked({ to: at })}
          />
        </Field>
        <span class="muted small">{plural(versions.length, 'version')} kept</span>
      </div>
      {from === undefined ? (
        <p class="muted">There is no older version to compare with.</p>
      ) : (
        <Diff id={id} from={from.digest} to={to.digest} />
      )}
      <p class="small">
        The newer one <a href={`${versionPath(id, to)}/text`}>as text</a>,{' '}
        <a href={`${versionPath(id, to)}/source`}>as it was sent</a>
      </p>
    </>
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
function Diff({ id, from, to }: { id: string; from: string; to: string }) {
  const [whole, setWhole] = useState(false)
  const loaded = useLoad(`diff ${id} ${from} ${to} ${whole}`, (signal) =>
    request('GET pages/:id/diff', { params: { id }, query: { from, to, whole }, signal }),
  )
  return (
    <>
      <LoadedView
        loaded={loaded}
        what="the difference"
        absent={<p class="muted">These versions are not kept any more, or are no text.</p>}
      >
        {(diff) => <DiffView diff={diff} />}
      </LoadedView>
      <button type="button" aria-pressed={whole} onClick={() => setWhole(!whole)}>
        {whole ? 'What was compared' : 'The whole page'}
      </button>
    </>
  )
}

function versionPath(id: string, { digest }: VersionAnswer): string {
  return `./api/pages/${id}/versions/${digest}`
}
