/** Selectors for parts of a page that somebody points at, from its document, which is never run. */

/** Numbers of four digits and more are of one rendering, as a rule. */
const passing = /\d{4,}|^[a-f0-9]{8,}$/i

/** The shortest selector that finds this element and no other; elements that parsers add are not named. */
export function selectorOf(element: Element): string {
  const { ownerDocument: root } = element
  const found = [...shortSelectors(element)].find((each) => isOnly(root, each, element))
  if (found !== undefined) return found
  const parent = element.parentElement
  const step = stepOf(element)
  if (parent === null || parent === root.documentElement || parent === root.body) return step
  const within = `${selectorOf(parent)} ${tagOf(element)}`
  return isOnly(root, within, element) ? within : `${selectorOf(parent)} > ${step}`
}

function* shortSelectors(element: Element): Generator<string> {
  const tag = tagOf(element)
  if (element.id !== '' && !passing.test(element.id)) yield `#${CSS.escape(element.id)}`
  const classes = [...element.classList].filter((each) => !passing.test(each))
  for (const each of classes) yield `.${CSS.escape(each)}`
  for (const each of classes) yield `${tag}.${CSS.escape(each)}`
  if (classes.length > 1) yield `${tag}.${classes.map((each) => CSS.escape(each)).join('.')}`
  for (const name of ['itemprop', 'role', 'data-testid', 'aria-label']) {
    const value = element.getAttribute(name)
    if (value !== null && value !== '' && value.length < 80 && !passing.test(value))
      yield `${tag}[${name}="${CSS.escape(value)}"]`
  }
  yield tag
}

/** By its place among its siblings of the same kind. */
function stepOf(element: Element): string {
  const tag = tagOf(element)
  const alike = [...(element.parentElement?.children ?? [])].filter(
    (each) => each.tagName === element.tagName,
  )
  return alike.length < 2 ? tag : `${tag}:nth-of-type(${alike.indexOf(element) + 1})`
}

function isOnly(root: Document, selector: string, element: Element): boolean {
  try {
    const found = root.querySelectorAll(selector)
    return found.length === 1 && found[0] === element
  } catch {
    return false
  }
}

function tagOf({ localName }: Element): string {
  return CSS.escape(localName)
}

/** A browser puts these in where the source has none: they are passed over. */
export function parentOf(element: Element): Element | null {
  const parent = element.parentElement
  if (parent === null || parent.localName === 'html') return null
  return parent.localName === 'tbody' ? parent.parentElement : parent
}
