import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageAnswer } from '../../../../src/server/pages/page-schema.js'
import { request } from '../../../api/request.js'
import { linkTo } from '../../../app/route.js'
import { useLoad } from '../../../app/use-load.js'
import { LoadedView } from '../../../parts/loaded-view.js'
import { Panel } from '../../../parts/panel.js'
import { Empty } from '../../../parts/states.js'
import { RuleEditor } from './rule-editor.js'
import { parentOf, selectorOf } from './selector.js'

/**
 * The newest kept version, in a frame in which no script runs and nothing is
 * asked for; a glass over it takes the pointer, so that no link can be followed.
 */
export function ChooseView({ page, reload }: { page: PageAnswer; reload: () => void }) {
  const loaded = useLoad(`versions ${page.id}`, (signal) =>
    request('GET pages/:id/versions', { params: { id: page.id }, signal }),
  )
  return (
    <LoadedView loaded={loaded} what="the newest version">
      {({ versions }) => {
        const newest = versions.at(-1)
        if (newest === undefined)
          return (
            <Empty title="There is nothing to click on yet.">
              <p>
                No content of this page is kept.{' '}
                <a href={linkTo(['pages', page.id])}>Back to the page</a>
              </p>
            </Empty>
          )
        if (!/html/i.test(newest.mediaType ?? 'text/html'))
          return (
            <Empty title="This page is no HTML: there are no parts to click on.">
              <p>
                Lines and paths can be left out in{' '}
                <a href={linkTo(['pages', page.id, 'settings'])}>its settings</a>.
              </p>
            </Empty>
          )
        return <Chooser page={page} digest={newest.digest} reload={reload} />
      }}
    </LoadedView>
  )
}

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

function Chooser({
  page,
  digest,
  reload,
}: {
  page: PageAnswer
  digest: string
  reload: () => void
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [pointed, setPointed] = useState<Element | null>(null)
  const [chosen, setChosen] = useState<Element | null>(null)
  const shown = chosen ?? pointed
  const root = () => frame.current?.contentDocument ?? null
  const fit = () => {
    const tall = root()?.documentElement.scrollHeight ?? 600
    // By script: the Content-Security-Policy allows no style attributes.
    if (frame.current !== null) frame.current.style.height = `${Math.min(20_000, tall + 20)}px`
  }
  const at = (event: MouseEvent): Element | null => {
    const box = frame.current!.getBoundingClientRect()
    const found = root()?.elementFromPoint(event.clientX - box.left, event.clientY - box.top)
    return found === undefined || found?.localName === 'html' ? null : found
  }
  const key = (event: KeyboardEvent) => {
    const next = stepFrom(shown, event.key, root())
    if (event.key === 'Enter' && pointed !== null) setChosen(pointed)
    else if (next === undefined) return
    else {
      setPointed(next)
      setChosen(null)
    }
    event.preventDefault()
  }
  return (
    <div class="grid">
      <Panel
        title="Click on a part of the page"
        size={chosen === null ? 'full' : 'half'}
        note="The newest kept version, without scripts, pictures and styles from elsewhere. By keyboard: arrows go from part to part, Enter chooses."
      >
        <div class="chooser">
          <div class="chooser-page">
            <iframe
              ref={frame}
              sandbox="allow-same-origin"
              title="The page as it was kept"
              tabIndex={-1}
              src={`./api/pages/${page.id}/versions/${digest}/frame?choose=true`}
              onLoad={fit}
            />
            <div
              class="glass"
              role="application"
              aria-label="Parts of the page"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: keys choose parts
              tabIndex={0}
              onMouseMove={(event) => setPointed(at(event))}
              onClick={(event) => setChosen(at(event))}
              onKeyDown={key}
            >
              <Outline element={shown} chosen={chosen !== null} />
            </div>
          </div>
        </div>
        <p class="small mono" role="status">
          {shown === null ? '' : selectorOf(shown)}
        </p>
      </Panel>
      {chosen === null ? null : (
        <div class="half stacked">
          <div class="row">
            <button
              type="button"
              disabled={parentOf(chosen) === null}
              onClick={() => setChosen(parentOf(chosen))}
            >
              A wider part
            </button>
            <button type="button" onClick={() => setChosen(null)}>
              Another part
            </button>
          </div>
          <RuleEditor
            page={page}
            proposed={{ kind: 'select', selector: selectorOf(chosen), lines: null }}
            onDone={() => {
              reload()
              location.hash = linkTo(['pages', page.id])
            }}
            onCancel={() => setChosen(null)}
          />
        </div>
      )}
    </div>
  )
}

/** Up and down to the one before and after, left to the one around, right to the first within; past what is not to be seen. */
function stepFrom(from: Element | null, key: string, root: Document | null) {
  if (!key.startsWith('Arrow') || root === null) return undefined
  if (from === null) return seenFrom(root.body.firstElementChild, 'next') ?? root.body
  if (key === 'ArrowLeft') return parentOf(from) ?? from
  if (key === 'ArrowRight') return seenFrom(from.firstElementChild, 'next') ?? from
  const way = key === 'ArrowDown' ? 'next' : 'previous'
  return seenFrom(from[`${way}ElementSibling`], way) ?? from
}

/** The first of an element and those beside it that has a box: a script has none. */
function seenFrom(first: Element | null, way: 'next' | 'previous'): Element | null {
  let element = first
  while (element !== null && element.getClientRects().length === 0)
    element = element[`${way}ElementSibling`]
  return element
}

function Outline({ element, chosen }: { element: Element | null; chosen: boolean }) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (mark.current === null || element === null) return
    const { left, top, width, height }: Box = element.getBoundingClientRect()
    const view = element.ownerDocument.defaultView
    const place = { left: left + (view?.scrollX ?? 0), top: top + (view?.scrollY ?? 0) }
    Object.assign(mark.current.style, {
      left: `${place.left}px`,
      top: `${place.top}px`,
      width: `${width}px`,
      height: `${height}px`,
    })
  }, [element, chosen])
  if (element === null) return null
  return <div ref={mark} class={chosen ? 'outline chosen' : 'outline'} />
}
