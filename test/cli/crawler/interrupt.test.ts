import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { localServer } from '../../fixtures/local-server.js'
import { runCli } from '../../fixtures/run-cli.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

/** A run against a server that answers only when told to. */
async function heldRun() {
  const answers: Array<() => void> = []
  let asked = () => {}
  const reached = new Promise<void>((resolve) => {
    asked = resolve
  })
  const base = await localServer((request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end()
    answers.push(() => response.end('hello'))
    asked()
  })
  const folder = tempFolder()
  const env = {
    REVISIT_DATABASE: join(folder, 'revisit.db'),
    REVISIT_ALLOWED_NETWORKS: '127.0.0.0/8',
    REVISIT_DELAY: '0',
  }
  await runCli(['watch', `${base}/a`], { env })
  const child = spawn(process.execPath, [main, 'run'], { env: { ...process.env, ...env } })
  const reported = { out: '', err: '' }
  child.stdout.on('data', (text) => {
    reported.out += text
  })
  child.stderr.on('data', (text) => {
    reported.err += text
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await reached
  return { base, env, child, reported, ended, answers }
}

/** Waits for what a process writes. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe('Ctrl-C', () => {
  it('finishes what is under way', async () => {
    const { base, env, child, reported, ended, answers } = await heldRun()
    child.kill('SIGINT')
    await until(() => reported.err.includes('stopping'))
    for (const answer of answers) answer()
    expect(await ended).toBe(0)
    expect(reported.out).toMatch(/first .*\/a/)
    expect(reported.err).toMatch(/stopping once 1 under way.*\n1 visit, /)
    const shown = await runCli(['show', `${base}/a`, '--json'], { env })
    expect(JSON.parse(shown.out)).toMatchObject({ visits: 1 })
  })

  it('given twice stops at once and gives the page back', async () => {
    const { env, child, reported, ended } = await heldRun()
    child.kill('SIGINT')
    await until(() => reported.err.includes('stopping'))
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    const due = await runCli(['list', '--due', '--json'], { env })
    expect(JSON.parse(due.out)).toMatchObject([{ visits: 0 }])
    expect((await runCli(['check'], { env })).code).toBe(0)
  })
})
