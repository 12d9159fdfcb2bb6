import { noiseOf } from '../../content/noise/masks.js'
import { storeCommand } from '../command.js'
import { configured, withStore } from '../configured.js'
import { exitCode } from '../environment.js'
import { namedPage } from '../page-selection.js'
import { answer } from '../text/json.js'
import { counted } from '../text/numbers.js'

/** `revisit unmask URL`: what was masked as noise counts again. */
export const unmaskCommand = storeCommand({
  description:
    'Forget what was found to be noise on a page (see revisit show), so that all of it counts again. The next visit compares with nothing and is no change; noise is then looked for anew, unless --no-noise-check says not to.',
  arguments: [['<URL>', 'the address of the page']],
  options: [['--no-noise-check', 'and look for no noise on it any more']],
  async run(environment, [address], flags) {
    const made = await configured(environment, flags)
    return withStore(made, async (store) => {
      const page = await namedPage(made, { store, address })
      const { masks } = noiseOf(page.noise)
      const settings =
        flags.noiseCheck === false ? { settings: { ...page.settings, noiseCheck: false } } : {}
      await store.changePage(page, { noise: null, ...settings })
      const unmasked = masks.length
      const text = `${counted(unmasked, 'mask')} taken away\n`
      answer(environment, { json: flags.json, record: { unmasked }, text })
      return exitCode.done
    })
  },
})
