import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

async function visited() {
  const site = await crawledSite({ '/a': { body: 'A' }, '/b': { body: 'B' } })
  await site.revisit(['watch', `${site.base}/a`, `${site.base}/b`])
  await site.revisit(['run', '--once'])
  return site
}

describe('an export for a program', () => {
  it.each([
    ['out.csv', { format: 'csv', visits: 2 }],
    ['out.jsonl.gz', { format: 'jsonl', visits: 2 }],
    ['out.warc', { format: 'warc', records: 2 }],
  ])('tells what was written to %s', async (name, what) => {
    const { revisit, folder } = await visited()
    const file = join(folder, name)
    const { code, out, err } = await revisit(['export', file, '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toEqual({ file, ...what, bytes: statSync(file).size })
  })

  it('tells the copies of a folder, and the bytes of all its files', async () => {
    const { revisit, folder } = await visited()
    const file = join(folder, 'copies')
    const { out, err } = await revisit(['export', file, '--format', 'folder', '--json'])
    const files = readdirSync(file, { recursive: true, withFileTypes: true })
    const sizes = files.map((each) =>
      each.isFile() ? statSync(join(each.path, each.name)).size : 0,
    )
    const bytes = sizes.reduce((sum, each) => sum + each, 0)
    expect(err).toBe('')
    expect(JSON.parse(out)).toEqual({ file, format: 'folder', copies: 2, bytes })
  })

  it('has standard output for itself where it goes there', async () => {
    const { revisit } = await visited()
    const plain = await revisit(['export', '--format', 'jsonl'])
    const { out, err } = await revisit(['export', '--format', 'jsonl', '--json'])
    expect(out).toBe(plain.out)
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).changed),
    ).toHaveLength(2)
    expect(err).toBe('2 visits written\n')
  })
})

describe('an exported prior for a program', () => {
  it('tells what was written, or is the output itself', async () => {
    const { revisit, folder } = await visited()
    const file = join(folder, 'prior.json')
    const { out } = await revisit(['prior', 'export', file, '--json'])
    const bytes = statSync(file).size
    expect(JSON.parse(out)).toEqual({ file, format: 'revisit-auto-prior', groups: 0, bytes })
    const direct = await revisit(['prior', 'export', '--json'])
    expect(direct.out).toBe(readFileSync(file, 'utf8'))
  })
})
