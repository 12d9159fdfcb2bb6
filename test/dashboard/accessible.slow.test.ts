import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scenes, stage } from '../../scripts/dashboard/scenes.mjs'
import { type ShownService, serviceOf } from '../../scripts/dashboard/services.mjs'
import { openBrowser } from './browser.js'

const open = openBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const services = [...new Set(scenes.map(({ service }) => service))]
const looks = [1280, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((theme) => ({ width, theme })),
)

describe.each(services)('every view of the service "%s"', (name) => {
  const own = scenes.filter(({ service }) => service === name)
  let service: ShownService
  beforeAll(async () => {
    service = await serviceOf(name)
  }, 180_000)
  afterAll(() => service?.stop())

  it.each(looks)(
    'has no serious fault that axe-core finds, at $width in $theme',
    async (look) => {
      const { page, faults } = await open(service.address, look)
      await page.evaluate(axe)
      for (const scene of own) {
        await stage(page, { scene, ids: service.ids })
        expect(await seriousFaults(page), scene.name).toEqual([])
        expect(await sideways(page), `${scene.name} scrolls sideways`).toBeLessThanOrEqual(0)
      }
      expect(faults).toEqual([])
    },
    400_000,
  )
})

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

async function seriousFaults(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}

function sideways(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}
