// One of several processes on one store: visits nothing, keeps price and prior up with the others.
// Writes a line of JSON for each stretch of pages that a scan reads, each prior that is written,
// and four times a second for what it knows.
import { createHash } from 'node:crypto'
import { openCrawler } from '../../dist/crawler/index.js'
import { openPostgresStore, openSqliteStore } from '../../dist/store/index.js'

const [path, collection] = process.argv.slice(2)
const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`)
const opened = path.startsWith('postgres:')
  ? await openPostgresStore({ url: path })
  : await openSqliteStore({ path })
const store = new Proxy(opened, {
  get(target, name) {
    const value = Reflect.get(target, name, target)
    if (typeof value !== 'function') return value
    return async (...args) => {
      // The scan reads 250 pages at a time; slowed, so that it takes seconds.
      if (name === 'listPages' && args[0].limit === 250) {
        say({ kind: 'scan' })
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
      if (name === 'putSetting' && args[1] === 'auto-prior') say({ kind: 'learned' })
      return value.apply(target, args)
    }
  },
})
const crawler = await openCrawler({ store, collection, budget: { perPage: 1 }, role: 'test' })
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
const { controller } = crawler
const known = setInterval(() => {
  const prior = createHash('sha256').update(JSON.stringify(controller.planners.prior ?? null))
  say({ kind: 'known', price: controller.price, prior: prior.digest('hex').slice(0, 12) })
}, 250)
await crawler.run({ signal: stop.signal })
clearInterval(known)
await crawler.close()
await opened.close()
