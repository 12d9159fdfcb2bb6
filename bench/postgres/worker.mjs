import { openPostgresStore } from '../../dist/store/index.js'
import { visitDue } from './visits.mjs'

/** One worker in a process of its own: visits what is due for so many seconds and prints how many. */
const [url, collection, seconds] = process.argv.slice(2)
const store = await openPostgresStore({ url })
// All begin at once, whatever their start took.
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))
const end = performance.now() + Number(seconds) * 1000
let visited = 0
while (performance.now() < end)
  visited += (await visitDue(store, { collection, worker: `w${process.pid}` })).visited
process.stdout.write(`${visited}\n`)
await store.close()
process.exit(0)
