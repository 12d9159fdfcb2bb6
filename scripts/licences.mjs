import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A step of Vite's build: the licences of all packages whose code it puts into its files ask to go with it, in LICENSES.txt. */
export function licences() {
  return {
    name: 'licences',
    generateBundle(_, made) {
      const folders = new Set()
      for (const { moduleIds = [] } of Object.values(made))
        for (const id of moduleIds) {
          const [, folder] = id.match(/^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//) ?? []
          if (folder !== undefined) folders.add(folder)
        }
      const source = `${[...folders].sort().map(licenceOf).join(between)}\n`
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source })
    },
  }
}

const between = `\n\n${'-'.repeat(80)}\n\n`

/** In the words of the package; one that has none with it says at least whose it is. */
function licenceOf(folder) {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { name, version, license, author } = about
  const files = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const whose = `Copyright ${author?.name ?? author}`
  return [`${name} ${version} (${license})`, ...(texts.length > 0 ? texts : [whose])].join('\n\n')
}
