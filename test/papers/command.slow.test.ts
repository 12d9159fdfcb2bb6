import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../fixtures/run-cli.js'

describe('revisit reproduce, as built', () => {
  it('runs a paper on a worker thread, and its verdicts are the recorded ones', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'revisit-reproduce-'))
    const html = join(folder, 'report.html')
    const args = ['reproduce', 'hattab', '--quick', '--html', html, '--out', folder, '--json']
    const { code, out, err } = await runCli(args)
    expect(err).not.toMatch(/error/i)
    expect(code).toBe(0)
    const [paper] = JSON.parse(out).papers
    // Shared oracles: 45 is the gain in points.
    const gain = paper.claims.find(({ id }: { id: string }) => id === 'gain')
    expect(gain.ours).toMatch(/^44\.9 points/)
    expect(readdirSync(join(folder, 'hattab')).sort()).toEqual(
      paper.figures.map(({ file }: { file: string }) => file).sort(),
    )
    expect(readFileSync(html, 'utf8')).toContain('Figure 5. Freshness as the paper counts it')
  })

  it('gives the same bytes for the same seed, whatever the threads', async () => {
    const run = (threads: string) =>
      runCli(['reproduce', 'hattab', '--quick', '--json', '--seed', '3', '--threads', threads])
    const [one, two] = await Promise.all([run('1'), run('2')])
    expect(one.out).toBe(two.out)
  })
})
