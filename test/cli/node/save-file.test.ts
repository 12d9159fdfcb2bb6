import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { saveFile } from '../../../src/cli/node/files.js'

const folder = mkdtempSync(join(tmpdir(), 'revisit-save-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('saveFile', () => {
  it('writes over what was there', async () => {
    const path = join(folder, 'report.html')
    await saveFile(path, 'one, and longer')
    await saveFile(path, 'two')
    expect(readFileSync(path, 'utf8')).toBe('two')
  })

  it.each([
    ['none/report.html', /its folder does not exist; name another file$/],
    ['.', /it is a folder; name another file$/],
  ])('says why %s cannot be written', async (name, reason) => {
    await expect(saveFile(join(folder, name), 'x')).rejects.toMatchObject({
      code: 'unwritable-file',
      message: expect.stringMatching(reason),
    })
  })
})
