import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engineFolder } from '../../../src/cli/node/engine-folder.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

describe('the folder of an engine', () => {
  it('of a process that is gone is removed by the next, and no other', async () => {
    const parent = tempFolder()
    const own = await engineFolder(parent)
    const named = (pid: number) =>
      join(parent, basename(own).replace(`-${process.pid}-`, `-${pid}-`))
    const gone = named(spawnSync(process.execPath, ['-e', '0']).pid)
    const running = named(process.ppid)
    const elsewhere = join(
      parent,
      `revisit-bulk-another.machine-${basename(gone).split('-').at(-2)}-abcdef`,
    )
    const unlike = `${gone}.parquet`
    for (const folder of [gone, running, elsewhere, unlike]) {
      mkdirSync(join(folder, 'spill'), { recursive: true })
      writeFileSync(join(folder, 'spill', 'block'), 'left')
    }
    const next = await engineFolder(parent)
    expect(existsSync(gone)).toBe(false)
    for (const folder of [own, next, running, elsewhere, unlike])
      expect(existsSync(folder)).toBe(true)
  })
})
