import { parentPort } from 'node:worker_threads'
import { carry } from '../../model/errors.js'
import type { CallMessage, CallReply } from './bounded-calls.js'

/** Runs in a worker thread: calls functions of modules by name, one after another. */
const port = parentPort!

port.on('message', (call: CallMessage) => {
  void answered(call).then((reply) => port.postMessage(reply))
})

async function answered({ module, name, args }: CallMessage): Promise<CallReply> {
  try {
    const work = ((await import(module)) as Record<string, unknown>)[name]
    // Loading the module does not count towards the time of the call.
    port.postMessage({ kind: 'begun' } satisfies CallReply)
    const result = await (work as (...args: readonly unknown[]) => unknown)(...args)
    return { kind: 'result', result }
  } catch (error) {
    const carried = carry(error)
    if (carried !== undefined) return { kind: 'error', error: carried }
    return { kind: 'fault', message: error instanceof Error ? error.message : String(error) }
  }
}
