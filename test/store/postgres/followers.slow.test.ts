import { expect, it } from 'vitest'
import { followWriters } from './followers.js'

it('followers of the log miss nothing in ten seconds of writers', async () => {
  const { byHand } = await followWriters({ seconds: 10, seed: 6 })
  expect(byHand).toBeGreaterThan(100)
})
