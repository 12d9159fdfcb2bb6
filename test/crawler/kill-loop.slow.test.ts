import { expect, it } from 'vitest'
import { killLoop } from '../../scripts/kill-loop.mjs'

// 200 kills: node scripts/kill-loop.mjs
it('keeps its word when the whole loop is killed again and again', async () => {
  const { acknowledged, requests } = await killLoop({ kills: 6, seed: 5 })
  expect(acknowledged).toBeGreaterThan(50)
  expect(requests).toBeGreaterThan(acknowledged)
})
