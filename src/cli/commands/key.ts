import { humanTime } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import { Keys } from '../../server/safety/keys.js'
import { type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import { jsonArray } from '../text/table.js'

/** `revisit key add|list|remove [NAME]`: who may use the API. */
export async function keyCommand(
  environment: Environment,
  { what, name, flags }: { what: string; name: string | undefined; flags: CrawlerFlags },
): Promise<number> {
  const made = await configured(environment, flags)
  return withStore(made, async (store) => {
    const keys = new Keys({ store, collection: made.config.collection })
    const json = flags.json === true
    if (what === 'list') return list(environment, { keys, json })
    if ((what !== 'add' && what !== 'remove') || name === undefined)
      throw new OptionError('bad-option', 'say revisit key add NAME, key list or key remove NAME')
    if (what === 'add') {
      const key = await keys.add(name, made.crawler.clock.now())
      environment.out.write(json ? `${JSON.stringify({ name, key })}\n` : `${key}\n`)
      return exitCode.done
    }
    if (!(await keys.remove(name))) throw new OptionError('no-key', `there is no key ${name}`)
    environment.out.write(json ? `${JSON.stringify({ removed: name })}\n` : `${name} removed\n`)
    return exitCode.done
  })
}

async function list(
  environment: Environment,
  { keys, json }: { keys: Keys; json: boolean },
): Promise<number> {
  const all = (await keys.list()).map(({ name, madeAt }) => ({ name, madeAt }))
  const lines = all.map(({ name, madeAt }) => `${name}  made ${humanTime(madeAt)}\n`)
  const text = all.length === 0 ? 'no keys; revisit key add NAME makes one\n' : lines.join('')
  environment.out.write(json ? jsonArray(all) : text)
  return exitCode.done
}
