import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandsOf, guideFolder, guides, guideText, root } from '../fixtures/paper-guides.js'

/** As a person types them in a clone. */
const typed = /^npm run (?:-s )?revisit -- /

// Each command is run in guides.slow.test.ts.
describe('the guides to the papers', () => {
  it('are linked from their index, and that from the README', () => {
    const index = guideText('README.md')
    for (const name of guides) expect(index).toContain(`](${name})`)
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('](docs/papers/README.md)')
  })

  it.each(guides)('%s has method, log, live, a figure and when to choose it', (name) => {
    const text = guideText(name)
    const titles = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)
    expect(titles).toEqual(
      expect.arrayContaining(['The method', 'On a log', 'Live', 'When it is the right choice']),
    )
    const figures = [...text.matchAll(/^!\[.+\]\((.+)\)$/gm)].map(([, path]) => path!)
    expect(figures.length).toBeGreaterThan(0)
    for (const path of figures) expect(existsSync(join(guideFolder, path)), path).toBe(true)
  })

  it.each(guides)('%s has commands as they are typed in a clone', (name) => {
    const commands = commandsOf(guideText(name))
    expect(commands.length).toBeGreaterThan(2)
    for (const line of commands) expect(line).toMatch(typed)
  })
})
