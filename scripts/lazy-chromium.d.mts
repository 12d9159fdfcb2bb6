import type { PlaywrightProviderOptions } from '@vitest/browser-playwright'
import type { BrowserProviderOption } from 'vitest/node'

export function lazyChromium(
  options: Omit<PlaywrightProviderOptions, 'launchOptions'>,
): BrowserProviderOption<PlaywrightProviderOptions>
