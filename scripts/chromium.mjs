import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * A real browser without a system package: @sparticuz/chromium unpacked into a
 * folder of its own, with the fonts it ships made findable.
 *
 * The package decides by an environment variable whether to unpack its shared
 * libraries, and its fonts.conf names a folder that does not exist here; both
 * are set right before use, or pages come out without text.
 */

const unwanted = new Set(['--single-process', '--disable-web-security', '--no-zygote'])
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
]

/** Where the browser is and how to start it: `{executablePath, args, env}`. */
export async function chromium() {
  const home = join(tmpdir(), `revisit-chromium-${version()}`)
  mkdirSync(home, { recursive: true })
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
  const before = process.env.TMPDIR
  process.env.TMPDIR = home
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    const executablePath = await packed.executablePath()
    const env = fonts(home)
    const args = [...packed.args.filter((flag) => !unwanted.has(flag)), ...quiet, '--no-sandbox']
    return { executablePath, args, env }
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

function version() {
  const main = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  let folder = dirname(main)
  while (
    !existsSync(join(folder, 'package.json')) ||
    !readFileSync(join(folder, 'package.json'), 'utf8').includes('"version"')
  )
    folder = dirname(folder)
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
}

function fonts(home) {
  const folder = join(home, 'fonts')
  const cache = join(home, 'fonts-cache')
  mkdirSync(folder, { recursive: true })
  mkdirSync(cache, { recursive: true })
  writeFileSync(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}</dir><cachedir>${cache}</cachedir></fontconfig>\n`,
  )
  return {
    ...process.env,
    FONTCONFIG_PATH: folder,
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    HOME: home,
  }
}
