import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/**
 * What documents name is there. A note of an older version names an old file as git does, with its
 * commit (`b79818b7:src/auto.ts`), and is left alone; the changelog's paths are those of its versions.
 */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folders = 'src test dashboard papers bench scripts examples deploy docs'.split(' ')
const filesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  )
const inFolders = folders.flatMap(filesOf).filter((path) => !path.includes('node_modules'))
const names = new Set([...readdirSync(root), ...inFolders].map((path) => basename(path)))
const documents = [...readdirSync(root), ...inFolders]
  .filter((name) => name.endsWith('.md'))
  .map((name) => [name, readFileSync(join(root, name), 'utf8')] as const)

/** Words between backticks: `src/a.ts`, and `bench/b.mjs` in `node bench/b.mjs --quick`. */
function wordsIn(text: string): string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)]
  return spans.flatMap(([, span]) => span!.split(/\s+/)).map((word) => word.replace(/[,;:.]$/, ''))
}

const isPath = new RegExp(String.raw`^(?:${folders.join('|')}|\.ci|\.github)/[\w./@-]+$`)
/** A file of ours by its bare name; `x.test.ts` and `.slow.test.ts` stand for many. */
const isName = /^(?!x\.)\w[\w./-]*\.(?:tsx?|m[jt]s)$/

/** As code hosting makes them of a heading. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('the docs', () => {
  it.each(documents.filter(([name]) => name !== 'CHANGELOG.md'))(
    '%s names paths that exist',
    (_, text) => {
      const missing = wordsIn(text).filter((word) =>
        isPath.test(word)
          ? !existsSync(join(root, word))
          : isName.test(word) && !names.has(basename(word)),
      )
      expect(missing).toEqual([])
    },
  )

  it.each(documents)('%s links to what exists', (name, text) => {
    const broken = [...text.matchAll(/\]\(([^()\s]+)\)/g)]
      .map(([, link]) => link!)
      .filter((link) => {
        if (/^[a-z]+:/.test(link)) return false
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? join(root, name) : join(root, dirname(name), path)
        if (!existsSync(target)) return true
        const isText = anchor !== undefined && target.endsWith('.md')
        return isText && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
      })
    expect(broken).toEqual([])
  })
})
