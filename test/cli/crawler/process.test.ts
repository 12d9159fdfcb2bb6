import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

describe('the built command, given in a folder', () => {
  it('finds revisit.yaml there, and writes one line for each visit', async () => {
    const { base, folder, spawned } = await crawledSite({ '/a': { body: '<p>hello</p>' } })
    const config = ['collection: mine', 'database: data/store.db', 'contact: a@example.org']
    writeFileSync(join(folder, 'revisit.yaml'), config.join('\n'))
    // The environment goes before the file, and says nothing of these.
    const env = { REVISIT_DATABASE: 'data/store.db' }
    expect((await spawned(['watch', `${base}/a`], { env })).out).toMatch(
      /^1 new page\nfirst visit as soon as run or serve runs; again within about [^\n]+\n$/,
    )
    const { code, out } = await spawned(['run', '--once', '--json'], { env })
    expect(code).toBe(0)
    const lines = out.trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({ url: `${base}/a`, outcome: 'first', status: 200 })
    expect(existsSync(join(folder, 'data', 'store.db'))).toBe(true)
    writeFileSync(join(folder, 'revisit.yaml'), 'colection: mine\n')
    const refused = await spawned(['list'], { env })
    expect(refused).toMatchObject({
      code: 2,
      err: 'revisit: revisit.yaml: there is no setting "colection"; did you mean "collection"?\n',
    })
  })
})
