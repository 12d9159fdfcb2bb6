import { useEffect, useRef, useState } from 'preact/hooks'
import type { AddPagesAnswer } from '../../../src/server/pages/page-schema.js'
import { request } from '../../api/request.js'
import { useAct } from '../../app/use-act.js'
import { Field } from '../../parts/field.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Refused } from '../../parts/states.js'
import { plural, sentence } from '../../parts/words.js'
import { ContactNeeded } from './contact-needed.js'
import { ImportList } from './import-list.js'
import { ImportLog } from './import-log.js'
import { linesIn, listedAddresses } from './listed-addresses.js'

/** The API takes so many at once. */
const atOnce = 10_000
/** Letters of a refused address that the API gives back. */
const givenBack = 200

/** Adds pages by their addresses, typed or from a file. */
export function AddDialog({
  importing,
  onDone,
  onClose,
}: {
  /** Whether a person came to import. */
  importing: boolean
  onDone: () => void
  onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [taken, setTaken] = useState('')
  const [group, setGroup] = useState('')
  const [importance, setImportance] = useState('1')
  const [result, setResult] = useState<AddPagesAnswer>()
  const { act, busy, error } = useAct()
  useEffect(() => dialog.current?.showModal(), [])
  const urls = linesIn(text)
  const take = async (files: readonly File[]) => {
    const withSettings = files.find(({ name }) => /\.(ya?ml|json|zip)$/i.test(name))
    if (withSettings !== undefined)
      throw new Error(
        `${withSettings.name} may have settings of its pages: choose it below, under Import pages with their settings.`,
      )
    const all = await Promise.all(files.map(async (file) => listedAddresses(await textOf(file))))
    const found = all.flatMap(({ addresses }) => addresses)
    setText((before) => [...linesIn(before), ...found].join('\n'))
    const from = all.map((each) => each.from ?? 'a list').join(', ')
    setTaken(`${plural(found.length, 'address', 'addresses')} from ${from}.`)
  }
  const add = () =>
    act(async () => {
      const answer = await addAll(urls, { group: group.trim(), importance: Number(importance) })
      setResult(answer)
      if (answer.added > 0) onDone()
      const refused = new Set(answer.refused.map(({ url }) => url))
      setText(urls.filter((url) => refused.has(url.slice(0, givenBack))).join('\n'))
    })
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="add-title">
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <h2 id="add-title">Add pages</h2>
        <Field name="Addresses, one a line">
          <textarea
            rows={8}
            placeholder="example.org/news"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              const files = [...(event.dataTransfer?.files ?? [])]
              if (files.length === 0) return
              event.preventDefault()
              act(() => take(files))
            }}
          />
        </Field>
        <p class="muted small" role="status">
          {taken || 'A file can be dropped in: a list, CSV, bookmarks, OPML, a sitemap or a feed.'}
        </p>
        <div class="row align-end">
          <Field name="or from files">
            <input
              type="file"
              multiple
              accept=".txt,.csv,.xml,.opml,.rss,.atom,.html,.htm,.gz,text/plain"
              onChange={(event) => {
                const files = [...(event.currentTarget.files ?? [])]
                act(() => take(files))
              }}
            />
          </Field>
          <Field name="Group (may stay empty)">
            <input value={group} onInput={(event) => setGroup(event.currentTarget.value)} />
          </Field>
          <Field name="Importance">
            <input
              class="short"
              type="number"
              min="0"
              step="any"
              value={importance}
              onInput={(event) => setImportance(event.currentTarget.value)}
            />
          </Field>
        </div>
        <div role="status">{result === undefined ? null : <AddedSummary result={result} />}</div>
        {result?.refused.some(lacksContact) ? <ContactNeeded onSet={add} /> : null}
        <Refused error={error} />
        <ImportList onDone={onDone} open={importing} />
        <ImportLog onDone={onDone} />
        <div class="row end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
          <button type="submit" class="first" disabled={busy || urls.length === 0}>
            {busy ? 'Adding …' : urls.length === 0 ? 'Add' : `Add ${plural(urls.length, 'page')}`}
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** Public pages wait for an address at which their servers can reach somebody. */
function lacksContact({ code }: { code: string }): boolean {
  return code === 'no-contact'
}

function AddedSummary({
  result: { added, already, refused: all, next, warning },
}: {
  result: AddPagesAnswer
}) {
  const waiting = all.filter(lacksContact).length
  const refused = all.filter((each) => !lacksContact(each))
  return (
    <>
      <p>
        {plural(added, 'page')} added
        {already === 0 ? '' : `, ${already} were there already`}
        {waiting === 0 ? '' : `, ${waiting} not yet: a contact is needed`}
        {refused.length === 0 ? '.' : `, ${refused.length} refused:`}
      </p>
      {next === null ? null : <p>{sentence(next.text)}</p>}
      {warning === null ? null : (
        <p>
          <OutsideText text={sentence(warning)} />
        </p>
      )}
      {refused.length === 0 ? null : (
        <ul class="refusals">
          {refused.slice(0, 20).map(({ url, message }) => (
            <li key={url}>
              {/* The message may begin with the address. */}
              <OutsideText text={message.startsWith(url) ? message : `${url}: ${message}`} />
            </li>
          ))}
        </ul>
      )}
      {refused.some(({ code }) => code === 'address-refused') ? (
        <p>
          To visit this machine or a private network, name it under{' '}
          <a href="#/settings">Settings</a>, Allowed networks: 127.0.0.0/8 is this machine. Then add
          the pages again.
        </p>
      ) : null}
    </>
  )
}

/** A file's text, unpacked where it is gzipped. */
async function textOf(file: File): Promise<string> {
  if (!file.name.toLowerCase().endsWith('.gz')) return file.text()
  const unpacked = file.stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(unpacked).text()
}

async function addAll(
  urls: readonly string[],
  { group, importance }: { group: string; importance: number },
): Promise<AddPagesAnswer> {
  const refused: AddPagesAnswer['refused'][number][] = []
  let sum: AddPagesAnswer = { added: 0, already: 0, refused, next: null, warning: null }
  for (let from = 0; from < urls.length; from += atOnce) {
    const pages = urls.slice(from, from + atOnce).map((url) => ({
      url,
      ...(group === '' ? {} : { group }),
      ...(Number.isFinite(importance) && importance !== 1 ? { importance } : {}),
    }))
    const answer = await request('POST pages', { body: { pages } })
    refused.push(...answer.refused)
    sum = {
      ...answer,
      added: sum.added + answer.added,
      already: sum.already + answer.already,
      refused,
      next: answer.next ?? sum.next,
      warning: answer.warning ?? sum.warning,
    }
  }
  return sum
}
