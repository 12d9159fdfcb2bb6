import { noiseOf } from '../../content/noise/masks.js'
import { type CrawlerFlags, configured, withStore } from '../configured.js'
import { type Environment, exitCode } from '../environment.js'
import { namedPage } from '../page-selection.js'
import { counted } from '../text/numbers.js'

export interface UnmaskFlags extends CrawlerFlags {
  readonly noiseCheck?: boolean
}

/** `revisit unmask URL`: what was masked as noise counts again. */
export async function unmaskCommand(
  environment: Environment,
  { address, flags }: { address: string; flags: UnmaskFlags },
): Promise<number> {
  const made = await configured(environment, flags)
  return withStore(made, async (store) => {
    const page = await namedPage(made, { store, address })
    const { masks } = noiseOf(page.noise)
    const settings =
      flags.noiseCheck === false ? { settings: { ...page.settings, noiseCheck: false } } : {}
    await store.changePage(page, { noise: null, ...settings })
    environment.out.write(
      flags.json === true
        ? `${JSON.stringify({ unmasked: masks.length })}\n`
        : `${counted(masks.length, 'mask')} taken away\n`,
    )
    return exitCode.done
  })
}
