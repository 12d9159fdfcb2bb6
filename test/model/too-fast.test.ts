import { expect, it } from 'vitest'
import { isTooFast, type PageRecord } from '../../src/model/page.js'
import { DAY, MINUTE } from '../../src/model/units.js'

const page = {
  changes: 3,
  failing: 0,
  gone: 0,
  lastVisit: { at: 1e9 } as PageRecord['lastVisit'],
  due: { at: 1e9 + DAY, reason: '' },
}

it('is a page that is left for many of its own changes, of which several were seen', () => {
  expect(isTooFast(page, 5 * MINUTE)).toBe(true)
  expect(isTooFast(page, DAY / 10)).toBe(false)
  expect(isTooFast({ ...page, changes: 2 }, 5 * MINUTE)).toBe(false)
})

it('is none that waits because it failed, is gone, or is never due', () => {
  expect(isTooFast({ ...page, failing: 1 }, 5 * MINUTE)).toBe(false)
  expect(isTooFast({ ...page, gone: 1 }, 5 * MINUTE)).toBe(false)
  expect(isTooFast({ ...page, due: { at: 'never', reason: '' } }, 5 * MINUTE)).toBe(false)
  expect(isTooFast({ ...page, lastVisit: null }, 5 * MINUTE)).toBe(false)
  expect(isTooFast(page, null)).toBe(false)
})
