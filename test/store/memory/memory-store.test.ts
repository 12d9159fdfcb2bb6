import { openMemoryStore } from '../../../src/store/index.js'
import { describeStore } from '../../contracts/store.js'

describeStore('memory', async (options) => openMemoryStore(options))
