import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromium } from './scripts/chromium.mjs'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The rooms that run in a browser; their tests run in Node and in a real browser. */
const browserSafe = ['model', 'numeric', 'estimators', 'policies', 'planner'].map(
  (room) => `test/${room}/**/*.test.ts`,
)
/** Tests of those rooms that need Node itself carry `.node.test.ts`. */
const nodeOnly = '**/*.node.test.ts'

/** The papers use the package by its name; in tests that is the source. */
const alias = [
  { find: /^revisit$/, replacement: here('src/index.ts') },
  { find: /^revisit\/report$/, replacement: here('src/lab/report/index.ts') },
  { find: /^revisit\/demo$/, replacement: here('src/lab/demo-web/index.ts') },
  { find: /^revisit\/(\w+)$/, replacement: here('src/$1/index.ts') },
]

const shared = {
  globalSetup: ['test/fixtures/provide-oracles.ts'],
  testTimeout: 60_000,
}

const browser = await chromium()

export default defineConfig({
  test: {
    // Vitest leaves a core to itself unless told: of two that is half, and it hardly uses it.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', './test/fixtures/plain-summary.ts'],
    projects: [
      {
        resolve: { alias },
        test: { ...shared, name: 'node', include: ['test/**/*.test.ts'], environment: 'node' },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          include: browserSafe,
          exclude: [nodeOnly],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath: browser.executablePath,
                args: browser.args,
                env: browser.env,
              },
              contextOptions: { locale: 'en-US' },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
