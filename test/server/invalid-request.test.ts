import { describe, expect, it } from 'vitest'
import { aService } from './a-service.js'

describe('a name that is not known where it was sent', () => {
  const reported = async (page: object) => {
    const { ask } = await aService()
    const { json } = await ask('POST', '/api/pages', { pages: [page] })
    return (json as { error: { message: string } }).error.message
  }
  const url = 'https://a.example/'

  it.each(['constructor', 'toString', 'hasOwnProperty'])(
    'belongs nowhere, though every object has it: %s',
    async (name) => {
      const known = `/pages/0/${name} is not known; there are url, group, tags, importance, settings`
      expect(await reported({ url, [name]: 1 })).toContain(known)
      expect(await reported({ url, settings: { [name]: 1 } })).toMatch(
        /is not known; there are policy/,
      )
    },
  )

  it('is told where it belongs, where it does', async () => {
    expect(await reported({ url, shortest: 1 })).toContain('/pages/0/shortest belongs in settings')
  })
})
