import { describe, expect, it } from 'vitest'
import { readHtml } from '../../src/content/html-reading.js'
import { readingRules } from '../../src/content/reading-rules.js'
import { lineExpression, ruleFromLine } from '../../src/content/rule-from-line.js'

const page = (price: string, visitors: number) => `<!doctype html><title>Lamp</title><body>
<header><p>Welcome to the shop</p></header>
<main id="product"><h1>Lamp</h1><p class="price big">Price: ${price} euros</p><p>Made in Malmö</p></main>
<aside class="css-1x2y3z"><p>${visitors} people look at this</p></aside>
<ul><li>first</li><li>second</li></ul></body>`

describe('a rule from a line', () => {
  const html = page('12', 33)
  const earlier = [page('10', 31)]

  it('is a selector of the smallest part that can be told from others', () => {
    expect(ruleFromLine('Price: 12 euros', [html, ...earlier])).toEqual({
      kind: 'selector',
      selector: 'p.price',
    })
    expect(ruleFromLine('Made in Malmö', [html, ...earlier])).toEqual({
      kind: 'selector',
      selector: '#product',
    })
  })

  it('is one by lines where no part has a name that lasts', () => {
    expect(ruleFromLine('33 people look at this', [html, ...earlier])).toEqual({
      kind: 'lines',
      expression: '^\\s*\\d+ people look at this\\s*$',
    })
    expect(ruleFromLine('a (b) [c] $1', [])).toEqual({
      kind: 'lines',
      expression: '^\\s*a \\(b\\) \\[c\\] \\$\\d+\\s*$',
    })
  })

  it('is one that rules of reading take, whatever signs stand in the line', () => {
    const line =
      'Updated 2026-11-17 \u2013 e-mail me/you | [a-z] {1,2} ^1+1=2? \\d #5 & ~ "x" \'y\' <z>'
    const expression = lineExpression(line)
    expect(() => readingRules({ ignoreLines: [expression] })).not.toThrow()
    expect(new RegExp(expression, 'gu').test(line)).toBe(true)
  })

  it('takes a part where rules of reading find it: elements are closed as there', () => {
    const written = (list: string) => `<!doctype html><title>List</title><body>${list}<p>end</p>`
    for (const list of [
      '<ul><li id="first">one<li>two</ul>',
      '<table><tr id="first"><td>one<tr><td>two</table>',
      '<p id="first">one<div>two</div>',
      '<dl><dt id="first">one<dd>two</dl>',
      '<object id="first"><param name="a"></object><p>two</p>',
    ]) {
      const html = written(list)
      const found = ruleFromLine('two', [html])
      if (found.kind === 'lines') continue
      const how = { url: 'https://a.example/', links: false as const, select: [found.selector] }
      const read = readHtml(html, how)
      expect(read.text, `${found.selector} of ${list}`).toContain('two')
    }
  })

  it('finds a line of plain text again, whatever spaces stand in it', () => {
    for (const line of ['  10:05   Oslo\t\tlate', 'a\u00a0b', 'a  ', '', '  '])
      expect(new RegExp(lineExpression(line), 'gu').test(line), JSON.stringify(line)).toBe(true)
    expect(lineExpression('10:05   Oslo now')).toBe('^\\s*\\d+:\\d+\\s+Oslo now\\s*$')
  })

  it('finds a long line again that it cuts at a letter of two halves', () => {
    const line = `${'long '.repeat(60).slice(0, 299)}\u{1f600} and more`
    expect(new RegExp(lineExpression(line), 'gu').test(line)).toBe(true)
  })

  it('finds the line as it is read: decoded, in one form, whatever stands inside it', () => {
    const written = (inner: string) =>
      `<!doctype html><head><title>Cast</title><body><p id="cast">${inner}</p><p>end</p>`
    const selector = '#cast'
    for (const [line, inner] of [
      ['Tom & Jerry (12)', 'Tom &amp; Jerry (<b>12</b>)'],
      ['one two', 'one&nbsp;<!-- and -->\n <a href="/">two</a>'],
      ['Malm\u00f6', 'Malmo\u0308'],
    ] as const)
      expect(ruleFromLine(line, [written(inner)]), line).toEqual({ kind: 'selector', selector })
  })

  it('takes the part from the first content that has the line, and minds the others', () => {
    const old = '<div id="old"><p>Closed today</p></div>'
    const now = '<p>Closed today</p><div id="now"><p>Closed today</p></div>'
    const rule = (...htmls: string[]) => ruleFromLine('Closed today', htmls)
    expect(rule('<p>Open</p>', old, now)).toMatchObject({ selector: '#old p' })
    expect(rule('<p>Open</p>', now, old)).toMatchObject({ selector: '#now p' })
    const wider = '<div id="old"><p>Closed</p><p>on Monday</p></div>'
    expect(rule(old, wider)).toMatchObject({ selector: '#old' })
  })

  it('takes no name of a page that is no plain name', () => {
    const hostile = `<div id="a'],body *{}//" class="x{} y</style>"><p>bad news today</p></div>`
    expect(ruleFromLine('bad news today', [hostile])).toMatchObject({ kind: 'lines' })
  })

  it('is quick on a page that is deep and long', () => {
    const deep = `${'<div>'.repeat(3000)}the line${'</div>'.repeat(3000)}${'<p>x</p>'.repeat(20_000)}`
    const began = performance.now()
    ruleFromLine('the line', [deep])
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
