import { useEffect, useRef } from 'preact/hooks'
import type { Changes } from './use-changes.js'

/** j and k go to the next and the previous change, which is seen then; m turns read into unread and back. */
export function useInboxKeys(changes: Changes): void {
  const latest = useRef(changes)
  latest.current = changes
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const items = [...document.querySelectorAll<HTMLElement>('.inbox > .change')]
      const here = items.findIndex((item) => item.contains(document.activeElement))
      if (event.key === 'j') goTo(items, here + 1, latest.current)
      else if (event.key === 'k') goTo(items, here < 0 ? 0 : here - 1, latest.current)
      else if (event.key === 'm' && here >= 0) {
        const change = changeOf(items[here]!, latest.current)
        if (change !== undefined) latest.current.mark([change.number], !change.seen)
      } else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

function goTo(items: readonly HTMLElement[], place: number, changes: Changes): void {
  const item = items[Math.max(0, place)]
  if (item === undefined) {
    changes.loadMore()
    return
  }
  item.querySelector<HTMLElement>('.change-link')?.focus({ preventScroll: true })
  item.scrollIntoView({ block: 'nearest' })
  const change = changeOf(item, changes)
  if (change?.seen === false) changes.mark([change.number], true)
}

function changeOf(item: HTMLElement, { list }: Changes) {
  return list?.find(({ number }) => number === Number(item.dataset.number))
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null
}
