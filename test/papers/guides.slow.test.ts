import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandsOf, guides, guideText, root } from '../fixtures/paper-guides.js'

interface Ran {
  readonly code: number | string
  readonly out: string
  readonly err: string
}

/** By a real shell, so that quotes, pipes and redirections mean what they mean to a person. */
function run(line: string, cwd: string): Promise<Ran> {
  const built = `"${process.execPath}" "${join(root, 'dist/cli/main.js')}" `
  const script = line.replaceAll(/npm run (?:-s )?revisit -- /g, built)
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-e', '-o', 'pipefail', '-c', script],
      { cwd, timeout: 60_000, maxBuffer: 1 << 26 },
      (error, out, err) =>
        resolve({ code: error === null ? 0 : (error.code ?? 'killed'), out, err }),
    )
  })
}

describe('the guides to the papers', () => {
  it.concurrent.each(guides)(
    '%s: every command runs, in order, in a folder of its own',
    async (name) => {
      const cwd = mkdtempSync(join(tmpdir(), 'revisit-guide-'))
      cpSync(join(root, 'examples', 'visits.csv'), join(cwd, 'examples', 'visits.csv'))
      for (const line of commandsOf(guideText(name))) {
        const { code, out, err } = await run(line, cwd)
        expect({ line, code, err: code === 0 ? '' : err }).toEqual({ line, code: 0, err: '' })
        expect(out + err, line).not.toBe('')
      }
    },
    240_000,
  )
})
