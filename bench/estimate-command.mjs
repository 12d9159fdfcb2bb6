import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Random } from '../dist/numeric/index.js'

/**
 * 10,000,000 observations through `revisit estimate`: how fast, and in how much
 * memory. The log is 200,000 pages with 51 visits each, a day of all pages after
 * the other, so that nothing is sorted by page. Runs alone too:
 * node bench/estimate-command.mjs
 */

export const name = 'revisit estimate, 10,000,000 observations'

const pages = 200_000
const visits = 51
const day = 86_400
const start = 1_700_000_000
const memoryLimit = 1024

export async function run({ print }) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-bench-'))
  try {
    const file = join(folder, 'visits.csv')
    await writeLog(file)
    const { seconds, megabytes } = await timed(file)
    const observations = pages * (visits - 1)
    const speed = Math.round(observations / seconds)
    print(`${observations} observations in ${seconds.toFixed(1)} s: ${speed} observations/s`)
    print(`peak memory ${megabytes} MB (limit ${memoryLimit} MB)`)
    if (megabytes > memoryLimit) throw new Error(`peak memory over ${memoryLimit} MB`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function writeLog(file) {
  const random = new Random(10)
  const out = createWriteStream(file)
  let text = 'url,at,changed\n'
  for (let visit = 0; visit < visits; visit++) {
    for (let page = 0; page < pages; page++) {
      const at = start + visit * day + (page % day)
      const changed = random.below(3) === 0 ? 1 : 0
      text += `https://host${page % 997}.example.org/section/page-${page}.html,${at},${changed}\n`
      if (text.length < 1 << 20) continue
      if (!out.write(text)) await new Promise((resolve) => out.once('drain', resolve))
      text = ''
    }
  }
  await new Promise((resolve, reject) => out.end(text, resolve).once('error', reject))
}

/** The command as a person runs it, in a process of its own, which tells its peak memory. */
function timed(file) {
  const command = new URL('../dist/cli/main.js', import.meta.url).pathname
  const begun = performance.now()
  const child = spawn(process.execPath, [command, 'estimate', file, '--json'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, REVISIT_STATS: '1' },
  })
  let printed = ''
  child.stderr.on('data', (chunk) => {
    printed += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const megabytes = Number(/peak memory (\d+) MB/.exec(printed)?.[1])
      if (code === 0) resolve({ seconds: (performance.now() - begun) / 1000, megabytes })
      else reject(new Error(`revisit estimate ended with ${code}: ${printed}`))
    })
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await run({ print: (line) => console.log(line) })
