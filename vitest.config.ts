import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { lazyChromium } from './scripts/lazy-chromium.mjs'

/**
 * Tests in tiers. A file's tier is its folder and the last word of its name:
 *
 *   *.test.ts          in a pure room: unit; elsewhere: node
 *   *.node.test.ts     in a pure room, but it needs a store, a socket, a process or the build: node
 *   *.long.test.ts     pure, but it computes for seconds: node; not unit
 *   *.browser.test.ts  unit, and the smoke of its room in a real browser
 *   *.slow.test.ts     only in `npm run test:all`
 *
 * `npm run test:unit` runs unit; `npm test` unit, node and browser; `npm run test:all` unit, node,
 * slow, and browser-full instead of browser. CONTRIBUTING.md has the table.
 */

/** Rooms without Node: every test of theirs also runs in a browser, in `test:all`. */
const browserRooms = ['model', 'numeric', 'estimators', 'policies', 'planner'].concat(
  ['process', 'statistics', 'study', 'hints'].map((part) => `lab/${part}`),
)
/** Rooms and folders that are pure besides: bytes and text in, values out. */
const pureRooms = ['formats', 'publish', 'hints', 'lab/report']

const testsOf = (rooms: readonly string[]) => rooms.map((room) => `test/${room}/**/*.test.ts`)
const unit = [...testsOf([...browserRooms, ...pureRooms]), 'test/lab/*.test.ts']
const node = '**/*.node.test.ts'
const long = '**/*.long.test.ts'
const slow = '**/*.slow.test.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The papers use the package by its name; in tests that is the source. */
const alias = [
  { find: /^revisit$/, replacement: here('src/index.ts') },
  { find: /^revisit\/report$/, replacement: here('src/lab/report/index.ts') },
  { find: /^revisit\/demo$/, replacement: here('src/lab/demo-web/index.ts') },
  { find: /^revisit\/(\w+)$/, replacement: here('src/$1/index.ts') },
]

const oracles = 'test/fixtures/provide-oracles.ts'
/** For tests that may ask for a PostgreSQL or a browser; each is started when the first of them does. */
const withServers = {
  globalSetup: [oracles].concat(
    ['postgres', 'browser'].map((name) => `test/fixtures/provide-${name}.ts`),
  ),
}

const shared = {
  globalSetup: [oracles],
  // For what hangs. No test is about a machine that has more to do than this run.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Files share a worker: a module is imported once a worker, not once a file.
  isolate: false,
}

/** A minute of chaos is mostly waiting: it begins first, and the others run beside it. */
class ChaosFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isChaos = ({ moduleId }: TestSpecification) => moduleId.endsWith('chaos.test.ts')
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => Number(isChaos(b)) - Number(isChaos(a)))
  }
}

/** Runs one project after the other, so that no worker of one is ended to make room for another. */
const turn = (groupOrder: number) => ({ sequence: { groupOrder } })

function browserProject(
  name: string,
  files: { include: string[]; exclude: string[] },
): TestProjectInlineConfiguration {
  return {
    test: {
      ...shared,
      ...turn(2),
      ...files,
      name,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: lazyChromium({ contextOptions: { locale: 'en-US' } }),
        instances: [{ browser: 'chromium' }],
      },
    },
  }
}

export default defineConfig({
  test: {
    // Many tests wait for processes and sockets: on two cores four workers end sooner than two.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    sequence: { sequencer: ChaosFirst },
    reporters: ['default', './test/fixtures/plain-summary.ts'],
    projects: [
      {
        resolve: { alias },
        test: {
          ...shared,
          ...turn(0),
          name: 'unit',
          pool: 'threads',
          include: unit,
          exclude: [node, long, slow],
        },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
          ...withServers,
          ...turn(1),
          name: 'node',
          // Processes: a thread has no umask of its own, and a test of ours sets it.
          pool: 'forks',
          include: ['test/**/*.test.ts'],
          exclude: [
            ...unit.map((glob) => glob.replace('*.test.ts', '!(*.node|*.long).test.ts')),
            slow,
          ],
        },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
          ...withServers,
          ...turn(3),
          name: 'slow',
          pool: 'forks',
          include: [`test/${slow}`],
        },
      },
      browserProject('browser', { include: ['test/**/*.browser.test.ts'], exclude: [] }),
      browserProject('browser-full', {
        include: [...testsOf(browserRooms), 'test/lab/*.test.ts'],
        exclude: [node, slow],
      }),
    ],
  },
})
