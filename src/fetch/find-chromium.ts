import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { EnvironmentError } from '../model/errors.js'

/** Names under which Chromium and Chrome are found among a system's programs. */
const names = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
]

/** Where they lie on systems that have no one place for programs. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  linux: ['/snap/bin/chromium', '/usr/lib/chromium/chromium', '/opt/google/chrome/chrome'],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
}

export interface ChromiumSearch {
  /** The one that a person named; null for any. */
  readonly path: string | null
  /** Where playwright would have put its own. */
  readonly own: () => string
  readonly exists?: (path: string) => boolean
  readonly programs?: string
  readonly platform?: string
}

/**
 * The Chromium to start: the one that was named, else playwright's own, else the
 * system's. Where there is none it says how to get one.
 */
export function findChromium({
  path,
  own,
  exists = existsSync,
  programs = process.env.PATH ?? '',
  platform = process.platform,
}: ChromiumSearch): string {
  if (path !== null) {
    if (exists(path)) return path
    throw new EnvironmentError(
      'no-browser',
      `there is no browser at ${path}; correct browser-path, or set it to none to have one looked for`,
    )
  }
  const ending = platform === 'win32' ? '.exe' : ''
  const folders = programs.split(delimiter).filter((each) => each !== '')
  const inPath = names.flatMap((name) => folders.map((each) => join(each, name + ending)))
  const found = [own(), ...inPath, ...(elsewhere[platform] ?? [])].find(
    (each) => each !== '' && exists(each),
  )
  if (found !== undefined) return found
  throw new EnvironmentError('no-browser', `no Chromium was found; ${browserAdvice}`)
}

/** How to get a browser. */
export const browserAdvice =
  'install one (apt install chromium, or npx playwright-core install chromium), or set browser-path to one that is there'
