import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

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
  const home = join(tmpdir(), `revisit-chromium-${version()}-whole`)
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
  if (!existsSync(home)) await unpackInto(home)
  const before = process.env.TMPDIR
  process.env.TMPDIR = home
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    const executablePath = await packed.executablePath()
    const env = environment(home)
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

const unpacking = `const { default: packed } = await import('@sparticuz/chromium')
await packed.executablePath()`

/**
 * The whole browser, or nothing: several processes may ask at once, and one of
 * them may be ended midway. Each unpacks into a folder of its own (in a process
 * of its own, since the package takes TMPDIR for good), and the first to be
 * ready gives its folder the name.
 */
async function unpackInto(home) {
  const own = mkdtempSync(`${home}-`)
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', unpacking], {
      cwd: dirname(fileURLToPath(import.meta.url)),
      env: { ...process.env, TMPDIR: own },
    })
    writeFonts(own, home)
    renameSync(own, home)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}

function writeFonts(folder, home) {
  mkdirSync(join(folder, 'fonts'), { recursive: true })
  mkdirSync(join(folder, 'fonts-cache'), { recursive: true })
  writeFileSync(
    join(folder, 'fonts', 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${join(home, 'fonts')}</dir><cachedir>${join(home, 'fonts-cache')}</cachedir></fontconfig>\n`,
  )
}

function environment(home) {
  const folder = join(home, 'fonts')
  return {
    ...process.env,
    FONTCONFIG_PATH: folder,
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    HOME: home,
  }
}
