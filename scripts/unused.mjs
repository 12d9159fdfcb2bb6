import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Finds code that nobody reaches: `npm run unused`. Four kinds are listed, one a line, and any of them ends
 * the run with 1:
 *
 * - `unreached`: a file that no command, page of the dashboard, paper, bench, script or example leads to;
 * - `unused`: an export that no file but a test asks for, and that its own file does not need either
 *   (`only exported`: its own file needs it, so that only the word `export` is too much);
 * - `member`: a public member of a class by whose name no file but a test asks for anything (one that
 *   shares its name with a member that is asked for is not found);
 * - `door`: a value in a room's index that no paper, bench, script, example, code block of the docs or test
 *   imports from there.
 *
 * It reads imports and exports as text, since the compiler has no interface for programs, and knip does not
 * install from a lock file. What it relies on: named imports and exports, declared at the beginning of a line.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folders = ['src', 'papers', 'dashboard', 'bench', 'scripts', 'examples', 'test']
const paths = new Map([
  ['revisit', 'src/index.ts'],
  ['revisit/report', 'src/lab/report/index.ts'],
  ['revisit/demo', 'src/lab/demo-web/index.ts'],
])

const modules = new Map()
for (const folder of folders)
  for (const file of filesIn(folder)) modules.set(file, moduleOf(file, textOf(file)))
/** Names that the docs speak of as `code`: what a door gives under such a name is a documented use of the library. */
const documented = new Set()
for (const file of documents()) {
  const text = readFileSync(join(root, file), 'utf8')
  modules.set(file, { ...moduleOf(file, blocksOf(text)), declared: [] })
  for (const [, name] of text.matchAll(/`([A-Za-z]\w+)(?:\([^`]*\))?`/g)) documented.add(name)
}

/** Who asks for a name of a file: by `file:name`. Through an index it is both the index's and the declaring file's. */
const users = new Map()
for (const [file, { wanted }] of modules)
  for (const { from, name } of wanted) for (const to of targets(file, from)) use(to, name, file)

/** Names of members that are asked for outside of tests: after a dot, as a text, or taken out of an object. */
const asked = new Set()
for (const [file, { text }] of modules)
  if (!isTest(file)) for (const name of askedIn(text)) asked.add(name)

const reached = new Set()
for (const file of modules.keys()) if (isEntry(file)) reach(file)
for (const [file, { doors }] of modules)
  for (const { name } of isDoor(file) ? doors : [])
    if (documented.has(name)) {
      use(file, name, 'docs/')
      lead(file, name, new Set())
    }

const found = []
for (const [file, { declared, doors, text }] of modules) {
  if (!/^(?:src|papers|dashboard)\//.test(file)) continue
  if (!reached.has(file) && !isDoor(file) && !file.endsWith('.d.ts')) {
    found.push(`unreached  ${file}`)
    continue
  }
  if (isEntry(file)) continue
  for (const { of, name } of membersOf(text))
    if (!asked.has(name) && !documented.has(name)) found.push(`member  ${file}: ${of}.${name}`)
  for (const { name, isType } of declared) {
    const by = askers(file, name).filter((each) => !isDoor(each))
    if (by.some((each) => !isTest(each))) continue
    const own =
      text.match(new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${escaped(name)}(?![\\w$])`, 'g')).length > 1
    if (!own) found.push(`unused  ${file}: ${name}`)
    else if (by.length === 0 && !isType && askers(file, name).length === 0)
      found.push(`only exported  ${file}: ${name}`)
  }
  for (const { name, isType } of isDoor(file) ? doors : [])
    if (!isType && name !== '*' && askers(file, name).length === 0)
      found.push(`door  ${file}: ${name}`)
}
const only = process.argv[2] ?? ''
const shown = found.filter((line) => line.includes(only))
for (const line of shown.sort()) console.log(line)
if (shown.length > 0) process.exitCode = 1

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => /\.(?:ts|tsx|mts|mjs|js)$/.test(name) && !name.includes('node_modules'))
}

function documents() {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const names = ['README.md', 'examples/README.md', ...docs.map((name) => `docs/${name}`)]
  const documented = /^(?!docs\/(?:decisions|notes)\/).*\.md$/
  return names.filter((name) => documented.test(name) && existsSync(join(root, name)))
}

function blocksOf(text) {
  return [...text.matchAll(/```(?:js|ts|mjs|javascript|typescript)\n(.*?)```/gs)]
    .map((match) => match[1])
    .join('\n')
}

/** Without comments, which may name anything. */
function textOf(file) {
  return readFileSync(join(root, file), 'utf8')
    .replace(/^\s*\/\*\*?[\s\S]*?\*\//gm, '')
    .replace(/^\s*\/\/.*$/gm, '')
}

/** What a file declares for others (`declared`), passes on (`doors`) and asks for (`wanted`). */
function moduleOf(file, text) {
  const wanted = []
  const doors = []
  const from = `from\\s*['"]([^'"]+)['"]`
  const lists = new RegExp(
    `(import|export)\\s+(type\\s+)?([\\w$]+\\s*,\\s*)?\\{([^}]*)\\}\\s*${from}`,
    'g',
  )
  for (const [, word, type, , list, source] of text.matchAll(lists))
    for (const each of list.split(',').map((part) => part.trim())) {
      const [, isType, name, as] = /^(type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?$/.exec(each) ?? []
      if (name === undefined) continue
      if (word === 'import') wanted.push({ from: source, name })
      else
        doors.push({
          from: source,
          name: as ?? name,
          of: name,
          isType: (type ?? isType) !== undefined,
        })
    }
  for (const [, name] of text.matchAll(
    new RegExp(`import\\s+[\\w$]+(?:\\s*,\\s*\\{[^}]*\\})?\\s*${from}`, 'g'),
  ))
    wanted.push({ from: name, name: 'default' })
  for (const [, source] of text.matchAll(new RegExp(`export\\s+\\*\\s*${from}`, 'g')))
    doors.push({ from: source, name: '*', of: '*', isType: false })
  for (const [, local, source] of text.matchAll(
    new RegExp(`import\\s+\\*\\s+as\\s+([\\w$]+)\\s*${from}`, 'g'),
  ))
    for (const name of namesOf(text, local)) wanted.push({ from: source, name })
  for (const [, source] of text.matchAll(/^import\s+['"]([^'"]+)['"]/gm))
    wanted.push({ from: source, name: 'default' })
  dynamic(text, wanted)
  const declared = [
    ...text.matchAll(
      /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(function\*?|const|let|class|interface|type|enum)\s+([\w$]+)/gm,
    ),
  ].map(([, kind, name]) => ({ name, isType: kind === 'interface' || kind === 'type' }))
  return { file, text, wanted, doors, declared }
}

/** Public members of classes, but of those that implement an interface of a package (`Package.Interface`): it calls them. */
function* membersOf(text) {
  const classes = /^(?:export )?(?:abstract )?class (\w+)([^{]*)\{\n(.*?)^\}/gms
  const members =
    /^ {2}(?:(?:readonly|static|override|async|get|set) |\*)*([a-z]\w*)(?:[(<:?!;]| =)/gm
  for (const [, of, heritage, body] of text.matchAll(classes)) {
    if (/ implements \w+\./.test(heritage)) continue
    for (const [, name] of body.matchAll(members)) if (name !== 'constructor') yield { of, name }
  }
}

function* askedIn(text) {
  for (const [, name] of text.matchAll(/[.'"`](\w+)/g)) yield name
  for (const [, name] of text.matchAll(/[{,]\s*(\w+)(?=\s*[,}:=])/g)) yield name
}

/** Names taken from a namespace; all of them (`*`) where it goes elsewhere as a whole. */
function namesOf(text, local) {
  const members = [
    ...text.matchAll(new RegExp(`(?<![\\w$.])${escaped(local)}(?:\\.([\\w$]+)|(?![\\w$]))`, 'g')),
  ]
  const names = members.map(([, name]) => name)
  const taken = new RegExp(`\\{([^{}]*)\\}\\s*=\\s*${escaped(local)}(?![\\w$.])`).exec(text)
  if (taken !== null)
    return [
      ...taken[1].split(',').map((part) => part.split(':')[0].trim()),
      ...names.filter(Boolean),
    ]
  // Once it stands alone, in its own import.
  return names.filter((name) => name === undefined).length > 1 ? ['*'] : names.filter(Boolean)
}

/** Files loaded while the program runs: `import('./x.js')`, and threads by `new URL('./x.js', import.meta.url)`. */
function dynamic(text, wanted) {
  const loads =
    /(?:\{([^{}]*)\}\s*=\s*)?(?:\(\s*)?(?:await\s+)?import\(\s*(?:\/\*.*?\*\/\s*)?['"]([^'"]+)['"]\s*\)(?:\)?\.([\w$]+))?/g
  for (const [, list, source, member] of text.matchAll(loads)) {
    const names = list?.split(',').map((part) => part.split(':')[0].trim()) ?? [member ?? '*']
    for (const name of names.filter(Boolean))
      wanted.push({ from: source, name: name === 'then' || name === 'catch' ? '*' : name })
  }
  for (const [, path] of text.matchAll(/new URL\(\s*['"`](\.[^'"`]+)['"`]/g))
    wanted.push({ from: path.replace(/\$\{.*\}$/, '.js'), name: '*' })
  for (const [, path] of text.matchAll(
    /(?<!from |import\()['"](?:\.\.\/)*(dist\/[\w/.-]+\.js)['"]/g,
  ))
    wanted.push({ from: `/${path}`, name: '*' })
}

/** The files that a path in an import means. */
function targets(file, path) {
  if (paths.has(path)) return [paths.get(path)]
  const room = /^revisit\/([\w-]+)$/.exec(path)
  if (room !== null) return [`src/${room[1]}/index.ts`].filter((each) => modules.has(each))
  if (!/^[./]/.test(path)) return []
  const full = path.startsWith('/')
    ? path.slice(1)
    : relative(root, resolve(root, dirname(file), path))
  const source = full.replace(/^dist\/papers\//, 'papers/').replace(/^dist\//, 'src/')
  const bare = source.slice(0, source.length - extname(source).length)
  return [source, `${bare}.ts`, `${bare}.tsx`, `${bare}.mts`, `${bare}.d.mts`].filter((each) =>
    modules.has(each),
  )
}

/** Counts a use, and follows it through files that only pass the name on. */
function use(file, name, by, seen = new Set()) {
  const key = `${file}:${name}`
  if (seen.has(key)) return
  seen.add(key)
  if (!users.has(key)) users.set(key, new Set())
  users.get(key).add(by)
  for (const door of modules.get(file).doors)
    if (door.name === name || door.name === '*' || name === '*')
      for (const to of targets(file, door.from)) use(to, door.of === '*' ? name : door.of, by, seen)
}

function askers(file, name) {
  return [...(users.get(`${file}:${name}`) ?? []), ...(users.get(`${file}:*`) ?? [])]
}

/** Goes on to all that a file asks for; through an index, to the files that declare it. */
function reach(file) {
  if (reached.has(file)) return
  reached.add(file)
  for (const { from, name } of modules.get(file).wanted)
    for (const to of targets(file, from)) lead(to, name, new Set())
}

function lead(file, name, seen) {
  const key = `${file}:${name}`
  if (seen.has(key)) return
  seen.add(key)
  const { doors, declared } = modules.get(file)
  if (!isDoor(file) || declared.length > 0) reach(file)
  for (const door of doors)
    if (door.name === name || door.name === '*' || name === '*' || !isDoor(file))
      for (const to of targets(file, door.from)) lead(to, door.of === '*' ? name : door.of, seen)
}

function isDoor(file) {
  return /^src\/(?:.*\/)?index\.ts$/.test(file)
}

function isTest(file) {
  return file.startsWith('test/')
}

/** Where a program, a page or a reader begins. */
function isEntry(file) {
  if (/^(?:bench|scripts|examples|docs)\//.test(file) || file === 'README.md') return true
  if (file === 'src/cli/main.ts' || file === 'papers/index.ts') return true
  return /^dashboard\/(?:main\.tsx|vite\.config\.mjs|build\/|public\/)/.test(file)
}

function escaped(name) {
  return name.replaceAll('$', '\\$')
}
