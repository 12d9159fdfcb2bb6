import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * Writes the table of claims into papers/NAME/README.md, between its two markers:
 *
 *   node scripts/paper-readme.mjs NAME [--from run.json] [--quick]
 *
 * The JSON is that of a full run (`revisit reproduce NAME --json`); without
 * --from that run is made now. With --quick a quick run will do, and the table
 * says that it is one.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const begin = '<!-- claims: written by scripts/paper-readme.mjs -->'
const end = '<!-- end of claims -->'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string' }, quick: { type: 'boolean', default: false } },
})
if (positionals.length === 0) fail('name a paper: node scripts/paper-readme.mjs malcolm-armitage')
for (const name of positionals) write(name)

function write(name) {
  const path = join(root, 'papers', name, 'README.md')
  if (!existsSync(path)) fail(`there is no ${path}`)
  const readme = readFileSync(path, 'utf8')
  const from = readme.indexOf(begin)
  const to = readme.indexOf(end)
  if (from < 0 || to < from) fail(`${path} lacks the two lines ${begin} and ${end}`)
  const text = `${readme.slice(0, from)}${begin}\n${claims(name)}\n${readme.slice(to)}`
  writeFileSync(path, text)
  console.log(`wrote ${path}`)
}

function claims(name) {
  const run = fullRun(name)
  const paper = run.papers.find((each) => each.name === name)
  if (paper === undefined) fail(`the run has no paper ${name}`)
  if (run.quick && !values.quick)
    fail('this is a quick run; the table is of a full one, unless --quick says otherwise')
  if (paper.leftOut.length > 0) fail(`left out for want of real histories: ${paper.leftOut}`)
  const questions = paper.claims.filter((claim) => claim.ourQuestion)
  const lines = [
    `${run.quick ? 'Quick' : 'Full'} run, seed ${run.seed}:`,
    '',
    ...table(paper.claims.filter((claim) => !claim.ourQuestion)),
  ]
  if (questions.length > 0)
    lines.push('', 'Questions of our own, which the paper leaves open:', '', ...table(questions))
  return lines.join('\n')
}

function table(claims) {
  const rows = claims.map((claim) =>
    row([
      `${claim.says} (${claim.where})`,
      claim.published || '–',
      claim.ours,
      `**${claim.verdict}**`,
      claim.why,
    ]),
  )
  const head = ['claim', 'published', 'ours', 'verdict', 'why']
  return [row(head), row(head.map(() => '---')), ...rows]
}

function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

function fullRun(name) {
  if (values.from !== undefined) return JSON.parse(readFileSync(values.from, 'utf8'))
  const main = join(root, 'dist', 'cli', 'main.js')
  const done = spawnSync(
    process.execPath,
    [main, 'reproduce', name, '--json', ...(values.quick ? ['--quick'] : [])],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  // 4: a verdict is not as recorded, which the table shows just the same.
  if (done.status !== 0 && done.status !== 4) fail(`the run ended with exit code ${done.status}`)
  return JSON.parse(done.stdout)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
