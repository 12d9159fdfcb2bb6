import { expect, it } from 'vitest'
import { readHtml } from '../../src/content/html-reading.js'
import { seemsScriptMade } from '../../src/content/script-made.js'

const seems = (html: string) =>
  seemsScriptMade({ html, text: readHtml(html, { url: 'http://localhost/', links: false }).text })

it.each([
  '<title>Shop</title><div id=root>Loading</div><script src=/app.js></script>',
  '<title>A title that is long enough to read</title><div id=root></div><script>1</script>',
  '<noscript>You need to enable JavaScript to run this app.</noscript><div id=app></div><script src=x></script>',
  '<p>Bitte warten, die Seite wird geladen …<script>1</script>',
  '<p>This site requires JavaScript. Please turn it on and come again.<script>1</script>',
])('a page that its scripts make seems so: %s', (html) => {
  expect(seems(html)).toBe(true)
})

it.each([
  '<title>Shop</title><p>Lamp: 20 euros</p>',
  '<p>OK</p>',
  '<p>Opening hours: Monday to Friday from 8 to 18<script>track()</script>',
  `<p>${'Words on the loading of trucks. '.repeat(20)}<script>1</script>`,
])('a page that stands without them does not: %s', (html) => {
  expect(seems(html)).toBe(false)
})
