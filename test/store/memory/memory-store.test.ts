import { openMemoryStore } from '../../../src/store/memory/store.js'
import { describeSharedStore } from '../../contracts/shared-store.js'
import { describeStore } from '../../contracts/store.js'

describeStore('memory', async (options) => openMemoryStore(options))

describeSharedStore('memory', async () => {
  const store = openMemoryStore()
  return { connect: async () => store }
})
