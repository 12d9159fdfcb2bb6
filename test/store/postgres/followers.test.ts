import { expect, it } from 'vitest'
import { followWriters } from './followers.js'

it('followers of the log miss nothing beside transactions of any length', async () => {
  const { byHand } = await followWriters({ seconds: 2, seed: 5 })
  expect(byHand).toBeGreaterThan(20)
})
