import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'docs', 'papers')
const guides = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')

/** As a person types them in a clone. */
const typed = /^npm run (?:-s )?revisit -- /

/** The commands of a guide, in order: each line of its sh fences that is no remark. */
function commandsOf(text: string): string[] {
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, fence]) => fence!.split('\n'))
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
}

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
  it('are linked from their index, and that from the README', () => {
    const index = textOf('README.md')
    for (const name of guides) expect(index).toContain(`](${name})`)
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('](docs/papers/README.md)')
  })

  it.each(guides)('%s has method, log, live, a figure and when to choose it', (name) => {
    const text = textOf(name)
    const titles = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)
    expect(titles).toEqual(
      expect.arrayContaining(['The method', 'On a log', 'Live', 'When it is the right choice']),
    )
    const figures = [...text.matchAll(/^!\[.+\]\((.+)\)$/gm)].map(([, path]) => path!)
    expect(figures.length).toBeGreaterThan(0)
    for (const path of figures) expect(existsSync(join(folder, path)), path).toBe(true)
  })

  it.concurrent.each(guides)(
    '%s: every command runs, in order, in a folder of its own',
    async (name) => {
      const cwd = mkdtempSync(join(tmpdir(), 'revisit-guide-'))
      cpSync(join(root, 'examples', 'visits.csv'), join(cwd, 'examples', 'visits.csv'))
      const commands = commandsOf(textOf(name))
      expect(commands.length).toBeGreaterThan(2)
      for (const line of commands) {
        expect(line).toMatch(typed)
        const { code, out, err } = await run(line, cwd)
        expect({ line, code, err: code === 0 ? '' : err }).toEqual({ line, code: 0, err: '' })
        expect(out + err, line).not.toBe('')
      }
    },
    240_000,
  )
})
