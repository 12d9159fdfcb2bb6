import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const src = join(root, 'src')
const dashboard = join(root, 'dashboard')

/** Which rooms a room may use. docs/architecture.md draws the same table. */
const mayImport: Record<string, readonly string[]> = {
  model: [],
  numeric: [],
  estimators: ['model', 'numeric'],
  policies: ['model', 'numeric', 'estimators'],
  planner: ['model', 'numeric', 'estimators', 'policies'],
  formats: ['model'],
  fetch: ['model', 'formats'],
  content: ['model', 'formats'],
  hints: ['model', 'formats', 'content', 'planner'],
  visit: ['model', 'formats', 'fetch', 'content', 'hints', 'policies', 'planner'],
  crawler: [
    'model',
    'numeric',
    'formats',
    'fetch',
    'content',
    'hints',
    'policies',
    'planner',
    'visit',
  ],
  store: ['model'],
  notify: ['model', 'formats', 'fetch', 'content'],
  publish: ['model', 'formats'],
  lab: [
    'model',
    'numeric',
    'estimators',
    'policies',
    'planner',
    'formats',
    'fetch',
    'content',
    'hints',
    'visit',
    'crawler',
    'store',
    'publish',
  ],
  frontier: ['model', 'formats', 'fetch', 'planner', 'visit', 'crawler'],
  server: [
    'model',
    'policies',
    'planner',
    'formats',
    'fetch',
    'content',
    'hints',
    'visit',
    'crawler',
    'notify',
  ],
}
/** Rooms, and parts of the lab, that also run in a browser: no package, no Node module. */
const browserSafe = new Set(['model', 'numeric', 'estimators', 'policies', 'planner'])
const safeInLab =
  /^lab\/(?:process|statistics|evaluate|scores|visit-loop|study\/(?!study-threads|study-worker)|hints-study)/

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(src, name))
const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(importPattern)].map(
    (match) => (match[1] ?? match[2])!,
  )
}

/** The imports that are there when the program runs: those of types alone are gone by then. */
function valueImportsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(importPattern)
  return [...found]
    .filter(([text]) => !/^\s*(?:import|export) type\b/.test(text))
    .map((match) => (match[1] ?? match[2])!)
}

function roomOf(file: string): string {
  const [room = ''] = relative(src, file).split('/')
  return room
}

/** Whether a file also runs in a browser. */
function isSafe(file: string): boolean {
  return browserSafe.has(roomOf(file)) || safeInLab.test(relative(src, file))
}

describe('the rooms', () => {
  it('are all in the table', () => {
    const found = new Set(files.map(roomOf).filter((room) => !room.endsWith('.ts')))
    for (const room of found) if (room !== 'cli') expect(Object.keys(mayImport)).toContain(room)
  })

  it.each(files.map((file) => [relative(root, file), file]))(
    '%s imports only what its room may',
    (_, file) => {
      const room = roomOf(file)
      for (const target of importsOf(file)) {
        if (!target.startsWith('.')) {
          const builtin = target.startsWith('node:') || builtinModules.includes(target)
          if (isSafe(file)) expect.fail(`${target}: a browser-safe room has no dependency`)
          if (builtin) expect(target).toMatch(/^node:/)
          continue
        }
        const path = resolve(dirname(file), target).replace(/\.js$/, '.ts')
        expect(existsSync(path), `${target} does not exist`).toBe(true)
        const other = roomOf(path)
        if (other === room || room === 'cli' || room.endsWith('.ts')) continue
        expect(mayImport[room], `${room} may not use ${other}`).toContain(other)
      }
    },
  )

  it('form no cycle of files', () => {
    const state = new Map<string, 'open' | 'done'>()
    const visit = (file: string, trail: string[]): void => {
      if (state.get(file) === 'done') return
      if (state.get(file) === 'open')
        expect.fail(`cycle: ${[...trail, file].map((f) => relative(src, f)).join(' -> ')}`)
      state.set(file, 'open')
      for (const target of valueImportsOf(file).filter((each) => each.startsWith('.')))
        visit(resolve(dirname(file), target).replace(/\.js$/, '.ts'), [...trail, file])
      state.set(file, 'done')
    }
    for (const file of files) visit(file, [])
  })
})

describe('the dashboard', () => {
  /** Beside what runs in a browser, files that need nothing: colours, lines of axes, shown text. */
  const alsoUsed = new Set([
    'lab/figures/palette.ts',
    'lab/figures/ticks.ts',
    'formats/printable-text.ts',
  ])
  const packages = new Set(['preact', 'preact/hooks', 'uplot', 'virtual:palette.css'])
  const itsFiles = readdirSync(dashboard, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(dashboard, name))

  it.each(itsFiles.map((file) => [relative(root, file), file]))(
    '%s imports only its own files, rooms that run in a browser, and types of the service',
    (_, file) => {
      const values = new Set(valueImportsOf(file))
      for (const target of importsOf(file)) {
        if (!target.startsWith('.')) {
          expect([...packages]).toContain(target)
          continue
        }
        const path = resolve(dirname(file), target)
        const found = [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')]
        expect(found.some(existsSync), `${target} does not exist`).toBe(true)
        if (!relative(dashboard, path).startsWith('..')) continue
        if (alsoUsed.has(relative(src, path.replace(/\.js$/, '.ts')))) continue
        if (roomOf(path) === 'server' && !values.has(target)) continue
        expect(isSafe(path), `the dashboard may not use ${relative(src, path)}`).toBe(true)
      }
    },
  )
})

describe('the words', () => {
  const declared = /\b(?:const|let|var|function|class|interface|type|enum)\s+([A-Za-z_$][\w$]*)/g
  const banned = /^(?:interval|intervals|rate|rates|age|ages|frequency|frequencies)$/i

  it.each(files.map((file) => [relative(root, file), file]))(
    '%s declares none of the bare words',
    (_, file) => {
      for (const [, name] of readFileSync(file, 'utf8').matchAll(declared))
        expect(name).not.toMatch(banned)
    },
  )

  it('rooms have names of their own', () => {
    for (const file of files)
      expect(relative(src, file)).not.toMatch(/(^|\/)(utils?|helpers?|common|misc)(\/|\.)/i)
  })
})
