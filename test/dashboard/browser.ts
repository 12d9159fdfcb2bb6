import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { sharedBrowser } from '../fixtures/browser.js'

export interface Tab {
  readonly page: Page
  /** Errors thrown, dialogs opened and breaches of the Content-Security-Policy so far. */
  readonly faults: string[]
  /** Says yes to the next question instead of counting it as a fault. */
  agree(): void
}

export interface TabOptions {
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  /** What the browser calls its language; en-US by default. */
  readonly language?: string
  /** Where its clock is; that of the machine by default. */
  readonly timeZone?: string
}

/** Gives the opener of tabs in the run's browser. */
export function openBrowser(): (address: string, options?: TabOptions) => Promise<Tab> {
  let browser: Browser
  beforeAll(async () => {
    browser = await sharedBrowser()
  })
  afterAll(() => browser?.close())
  return async (address, { theme = 'light', width = 1280, language, timeZone } = {}) => {
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme: theme,
      locale: 'en-US',
      ...(timeZone === undefined ? {} : { timezoneId: timeZone }),
    })
    onTestFinished(() => page.close())
    page.setDefaultTimeout(20_000)
    const agreed = { questions: 0 }
    const faults = await watched(page, agreed)
    if (language !== undefined) await page.addInitScript(callLanguage, language)
    await page.goto(address)
    return { page, faults, agree: () => void agreed.questions++ }
  }
}

/** Runs in the browser, before anything of the page. */
function callLanguage(language: string): void {
  Object.defineProperty(Navigator.prototype, 'language', { get: () => language })
}

async function watched(page: Page, agreed: { questions: number }): Promise<string[]> {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    if (agreed.questions-- > 0) return void dialog.accept()
    faults.push(`dialog: ${dialog.message()}`)
    dialog.dismiss()
  })
  await page.exposeFunction('tellBreach', (what: string) => faults.push(`policy: ${what}`))
  await page.addInitScript(() => {
    const tell = (window as unknown as { tellBreach(what: string): void }).tellBreach
    document.addEventListener('securitypolicyviolation', (event) =>
      tell(`${event.violatedDirective} ${event.blockedURI}`),
    )
  })
  return faults
}
