import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { papers } from '../../papers/index.js'
import { claimVerdicts } from '../../src/lab/report/paper.js'

const folder = fileURLToPath(new URL('../../papers', import.meta.url))
const folders = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory())

describe('the papers', () => {
  it('are all in the list', () => {
    expect(papers.map(({ name }) => name).sort()).toEqual(folders.sort())
  })

  it.each(papers.map((paper) => [paper.name, paper]))(
    '%s has claims that can be told apart',
    (_, { published }) => {
      const ids = published.claims.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      for (const claim of published.claims) expect(claimVerdicts).toContain(claim.recorded)
    },
  )

  it.each(folders)('%s imports public names only', (name) => {
    for (const file of readdirSync(join(folder, name)).filter((each) => each.endsWith('.ts'))) {
      const text = readFileSync(join(folder, name, file), 'utf8')
      for (const [, target] of text.matchAll(/from '([^']+)'/g))
        expect(target).toMatch(/^(revisit(\/\w+)?|node:.+|\.\/.+|\.\.\/[\w-]+\.js)$/)
    }
  })

  it.each(folders)('%s has a README with a row for each claim', (name) => {
    const path = join(folder, name, 'README.md')
    expect(existsSync(path)).toBe(true)
    const readme = readFileSync(path, 'utf8')
    const paper = papers.find((each) => each.name === name)!
    for (const { says } of paper.published.claims)
      expect(readme).toContain(says.replaceAll('|', '\\|'))
  })
})
