import { describe, expect, it } from 'vitest'
import { ruleFromLine } from '../../src/content/rule-from-line.js'

const page = (price: string, visitors: number) => `<!doctype html><title>Lamp</title><body>
<header><p>Welcome to the shop</p></header>
<main id="product"><h1>Lamp</h1><p class="price big">Price: ${price} euros</p><p>Made in Malmö</p></main>
<aside class="css-1x2y3z"><p>${visitors} people look at this</p></aside>
<ul><li>first</li><li>second</li></ul></body>`

describe('a rule from a line', () => {
  const html = page('12', 33)
  const earlier = [page('10', 31)]

  it('is a selector of the smallest part that can be told from others', () => {
    expect(ruleFromLine('Price: 12 euros', { html, earlier })).toEqual({
      kind: 'selector',
      selector: 'p.price',
    })
    expect(ruleFromLine('Made in Malmö', { html, earlier })).toEqual({
      kind: 'selector',
      selector: '#product',
    })
  })

  it('is one by lines where no part has a name that lasts', () => {
    expect(ruleFromLine('33 people look at this', { html, earlier })).toEqual({
      kind: 'lines',
      expression: '^\\s*\\d+ people look at this\\s*$',
    })
    expect(ruleFromLine('a (b) [c] $1', { html: null })).toEqual({
      kind: 'lines',
      expression: '^\\s*a \\(b\\) \\[c\\] \\$\\d+\\s*$',
    })
  })

  it('takes no name of a page that is no plain name', () => {
    const hostile = `<div id="a'],body *{}//" class="x{} y</style>"><p>bad news today</p></div>`
    expect(ruleFromLine('bad news today', { html: hostile })).toMatchObject({ kind: 'lines' })
  })

  it('is quick on a page that is deep and long', () => {
    const deep = `${'<div>'.repeat(3000)}the line${'</div>'.repeat(3000)}${'<p>x</p>'.repeat(20_000)}`
    const began = performance.now()
    ruleFromLine('the line', { html: deep })
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
