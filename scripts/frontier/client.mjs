import { fileURLToPath } from 'node:url'
import grpc from '@grpc/grpc-js'
import loader from '@grpc/proto-loader'

const proto = fileURLToPath(new URL('../../dist/frontier/urlfrontier.proto', import.meta.url))

/** A client of the frontier for scripts and benches. */
export function clientOf(address) {
  const { urlfrontier } = grpc.loadPackageDefinition(
    loader.loadSync(proto, { keepCase: true, longs: Number, enums: Number, oneofs: true }),
  )
  return new urlfrontier.URLFrontier(address, grpc.credentials.createInsecure())
}

/** A small call. */
export function asked(client, name, request = {}) {
  return new Promise((resolve, reject) => {
    client[name](request, (error, answer) => (error ? reject(error) : resolve(answer)))
  })
}

/**
 * Sends items on one stream, no more than `window` of them unanswered, and
 * waits for all answers. Gives the seconds it took, and how many were not OK.
 */
export function putAll(client, items, { window = 5_000 } = {}) {
  const began = performance.now()
  const call = client.PutURLs()
  let sent = 0
  let answered = 0
  let refused = 0
  let isFull = false
  const more = () => {
    // Answers come while the line is full: one listener waits for it.
    while (!isFull && sent < items.length && sent - answered < window) {
      isFull = !call.write(items[sent])
      sent++
    }
    if (sent === items.length) call.end()
  }
  call.on('drain', () => {
    isFull = false
    more()
  })
  return new Promise((resolve, reject) => {
    call.on('data', ({ status }) => {
      answered++
      if (status !== 0) refused++
      if (sent < items.length && sent - answered === window - 1) more()
    })
    call.on('end', () => {
      resolve({ seconds: (performance.now() - began) / 1000, refused, answered })
    })
    call.on('error', reject)
    more()
  })
}

/** A stream that stays open: `put` resolves with the status of its item, and rejects where the stream breaks. */
export function putStream(client) {
  const call = client.PutURLs()
  const open = new Map()
  const state = { broken: null }
  let number = 0
  call.on('data', ({ ID, status = 0 }) => {
    open.get(ID)?.resolve(status)
    open.delete(ID)
  })
  const broken = (error) => {
    state.broken = error ?? new Error('the stream has ended')
    for (const each of open.values()) each.reject(state.broken)
    open.clear()
  }
  call.on('error', broken)
  call.on('end', () => broken(null))
  return {
    state,
    put(item) {
      const ID = String(++number)
      return new Promise((resolve, reject) => {
        if (state.broken !== null) return reject(state.broken)
        open.set(ID, { resolve, reject })
        call.write({ ...item, ID })
      })
    },
    end: () => call.end(),
  }
}

/** Gives what came, and the milliseconds until the last of it. */
export function getAll(client, request) {
  const began = performance.now()
  const call = client.GetURLs(request)
  const found = []
  return new Promise((resolve, reject) => {
    call.on('data', (info) => found.push(info))
    call.on('end', () => resolve({ found, ms: performance.now() - began }))
    call.on('error', reject)
  })
}

/** All addresses that are stored. */
export function listAll(client, request = { size: 1_000_000_000 }) {
  const call = client.ListURLs(request)
  const found = []
  return new Promise((resolve, reject) => {
    call.on('data', (item) => found.push(item))
    call.on('end', () => resolve(found))
    call.on('error', reject)
  })
}

/** Addresses by the hundred in a message; each batch is made when it is sent. */
export function putFound(client, batches) {
  const call = client.PutDiscovered()
  let open = batches.length
  return new Promise((resolve, reject) => {
    call.on('data', () => {
      open--
    })
    call.on('end', () => (open === 0 ? resolve() : reject(new Error(`${open} not answered`))))
    call.on('error', reject)
    const next = (at) => {
      if (at === batches.length) call.end()
      else if (call.write(batches[at]())) setImmediate(next, at + 1)
      else call.once('drain', () => next(at + 1))
    }
    next(0)
  })
}

export function foundItem(url, key) {
  return { discovered: { info: { url, key } } }
}

export function knownItem(url, key, date, metadata = {}) {
  const lists = Object.entries(metadata).map(([name, value]) => [name, { values: [value] }])
  const info = { url, key, metadata: Object.fromEntries(lists) }
  return { known: { info, refetchable_from_date: date } }
}
