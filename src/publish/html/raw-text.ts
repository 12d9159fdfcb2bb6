/** Elements whose content holds no tags but their own closing one. HTML Standard, 13.2.6. */
const raw = new Set(
  'script style title textarea xmp iframe noembed noframes noscript plaintext'.split(' '),
)

/** Whether what follows this opening tag is raw text. */
export function beginsRawText(name: string): boolean {
  return raw.has(name)
}

/**
 * Where raw text ends that begins at `at`: at its closing tag, or where the
 * text ends. XHTML may hide a closing tag in a CDATA section.
 */
export function rawTextEnd(
  text: string,
  { name, at, xml }: { readonly name: string; readonly at: number; readonly xml: boolean },
): number {
  if (name === 'plaintext') return text.length
  if (name === 'script' && !xml) return scriptEnd(text, at)
  const marks = new RegExp(`${xml ? '<!\\[CDATA\\[|' : ''}</${name}(?=[\\t\\n\\f\\r />])`, 'gi')
  marks.lastIndex = at
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    if (found[0].startsWith('</')) return found.index
    const after = text.indexOf(']]>', marks.lastIndex)
    if (after < 0) break
    marks.lastIndex = after
  }
  return text.length
}

/**
 * The end of a script. `<!--` begins a stretch in which a script within the
 * script does not end it. HTML Standard, 13.2.5.15 to 13.2.5.31.
 */
function scriptEnd(text: string, at: number): number {
  const marks = /<!--|-->|<(\/?)script(?=[\t\n\f\r />])/gi
  marks.lastIndex = at
  let inside: 'script' | 'comment' | 'inner script' = 'script'
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    if (found[0] === '<!--') {
      if (inside === 'script') inside = 'comment'
      // Its dashes may be those of the end: `<!-->`.
      marks.lastIndex = found.index + 2
    } else if (found[0] === '-->') inside = 'script'
    else if (found[1] === '') inside = inside === 'comment' ? 'inner script' : inside
    else if (inside !== 'inner script') return found.index
    else inside = 'comment'
  }
  return text.length
}
