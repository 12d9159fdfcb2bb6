import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Runs the benches: every file beside this one that exports `run`, or those
 * named by file on the command line (`npm run bench -- batch`).
 */

const folder = dirname(fileURLToPath(import.meta.url))
const wanted = process.argv.slice(2)
const benches = await load()

const unknown = wanted.filter((name) => !benches.some((bench) => bench.file === name))
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}; there are: ${names()}.`)
  process.exit(2)
}
for (const bench of benches) {
  if (wanted.length > 0 && !wanted.includes(bench.file)) continue
  console.log(`\n== ${bench.name}`)
  await bench.run({ print: (line) => console.log(line) })
}

async function load() {
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
  const modules = await Promise.all(
    files.sort().map(async (file) => ({
      file: basename(file, '.mjs'),
      ...(await import(pathToFileURL(join(folder, file)).href)),
    })),
  )
  return modules.filter((module) => typeof module.run === 'function')
}

function names() {
  return benches.map((bench) => bench.file).join(', ')
}
