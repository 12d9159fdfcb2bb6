import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../fixtures/run-cli.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
const page = (i: number) => `<!doctype html><html><head><title>${i}</title>${'<p>x'.repeat(500)}`
const tagged = (i: number) =>
  page(i).replace('<head>', '<head><meta name="Change-Frequency" content="STATIC">')

describe('revisit annotate, killed at work', () => {
  it('leaves every page whole, and the next run ends it', async () => {
    const folder = tempFolder()
    const names = Array.from({ length: 400 }, (_, i) => `${i}.html`)
    const old = Date.now() / 1000 - 100 * 86_400
    for (const [i, name] of names.entries()) {
      writeFileSync(join(folder, name), page(i))
      utimesSync(join(folder, name), old, old)
    }
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    const done = () => names.filter((name, i) => read(name) === tagged(i)).length
    const child = spawn(process.execPath, [main, 'annotate', folder], { stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('close', resolve))
    while (child.exitCode === null && done() < 20) await new Promise((go) => setTimeout(go, 5))
    child.kill('SIGKILL')
    await ended
    expect(names.filter((name, i) => read(name) !== page(i) && read(name) !== tagged(i))).toEqual(
      [],
    )
    expect(await runCli(['annotate', folder])).toMatchObject({ code: 0 })
    expect(done()).toBe(names.length)
    // What the killed run had begun to write is still there, for an hour; nothing reads it.
    const left = readdirSync(folder).filter((name) => name.endsWith('.partial'))
    expect(left.length).toBeLessThanOrEqual(32)
  })
})
