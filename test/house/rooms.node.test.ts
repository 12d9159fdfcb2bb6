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
  estimate: ['model', 'numeric'],
  schedule: ['model', 'numeric'],
  planner: ['model', 'numeric', 'estimate', 'schedule'],
  engine: ['model', 'estimate', 'schedule', 'planner'],
  simulate: ['model', 'numeric', 'estimate', 'schedule', 'planner', 'engine'],
  parallel: ['model', 'estimate', 'simulate'],
  formats: ['model'],
  report: ['model', 'numeric'],
  crawl: ['model', 'formats'],
  store: ['model'],
  notify: ['model', 'formats', 'crawl'],
  publish: ['model', 'estimate', 'formats'],
  demo: ['model', 'simulate'],
  server: ['model', 'estimate', 'schedule', 'planner', 'store', 'engine', 'formats', 'notify'],
}
/** Rooms that also run in a browser: no package, no Node module. */
const browserSafe = new Set([
  'model',
  'numeric',
  'estimate',
  'schedule',
  'planner',
  'engine',
  'simulate',
])

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

function roomOf(file: string): string {
  const [room = ''] = relative(src, file).split('/')
  return room
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
          if (browserSafe.has(room)) expect.fail(`${target}: a browser-safe room has no dependency`)
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
      for (const target of importsOf(file).filter((each) => each.startsWith('.')))
        visit(resolve(dirname(file), target).replace(/\.js$/, '.ts'), [...trail, file])
      state.set(file, 'done')
    }
    for (const file of files) visit(file, [])
  })
})

describe('the dashboard', () => {
  /** Beside the browser-safe rooms, two files of report that need nothing: colours and shown text. */
  const ofReport = new Set(['report/frame/palette.ts', 'report/frame/shown-text.ts'])
  const packages = new Set(['preact', 'preact/hooks', 'uplot', 'virtual:palette.css'])
  const itsFiles = readdirSync(dashboard, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(dashboard, name))

  it.each(itsFiles.map((file) => [relative(root, file), file]))(
    '%s imports only its own files and rooms that run in a browser',
    (_, file) => {
      for (const target of importsOf(file)) {
        if (!target.startsWith('.')) {
          expect([...packages]).toContain(target)
          continue
        }
        const path = resolve(dirname(file), target)
        const found = [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')]
        expect(found.some(existsSync), `${target} does not exist`).toBe(true)
        if (!relative(dashboard, path).startsWith('..')) continue
        const room = roomOf(path)
        if (ofReport.has(relative(src, path.replace(/\.js$/, '.ts')))) continue
        expect([...browserSafe], `the dashboard may not use ${room}`).toContain(room)
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
