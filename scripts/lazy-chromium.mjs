/**
 * Vitest's browser, found and unpacked when the first test asks for it: a run
 * of other projects neither unpacks nor starts one.
 */
import { playwright } from '@vitest/browser-playwright'
import { chromium } from './chromium.mjs'

/** The provider for `browser.provider` in vitest.config.ts; options as of `playwright()`. */
export function lazyChromium(options) {
  const settings = { ...options, launchOptions: {} }
  const provider = playwright(settings)
  return {
    ...provider,
    providerFactory(project) {
      const made = provider.providerFactory(project)
      const open = made.openBrowser.bind(made)
      let found
      made.openBrowser = async (how) => {
        found ??= chromium().then((where) => Object.assign(settings.launchOptions, where))
        await found
        return open(how)
      }
      return made
    },
  }
}
