import { openMemoryStore } from '../../../src/store/memory/store.js'
import { describeStore } from '../../contracts/store.js'

describeStore('memory', async (options) => openMemoryStore(options))
