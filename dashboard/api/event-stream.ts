import { addressOf } from './request.js'

interface StreamEvent {
  readonly id: string
  readonly name: string
  readonly data: string
}

interface EventStreamOptions {
  readonly path: string
  readonly onEvent: (event: StreamEvent) => void
  /** Called at each change between connected and not. */
  readonly onState: (connected: boolean) => void
  readonly signal: AbortSignal
}

const shortestWait = 500
const longestWait = 15_000

/**
 * Follows server-sent events until the signal fires. A broken stream is taken
 * up again from the last event seen, after a wait that doubles. Made with fetch
 * and not EventSource, which tells neither why it broke nor when it is back.
 */
export async function followEvents(options: EventStreamOptions): Promise<void> {
  const { signal, onState } = options
  let last = ''
  let wait = shortestWait
  while (!signal.aborted) {
    try {
      for await (const event of eventsOf(options, last)) {
        wait = shortestWait
        if (event.id !== '') last = event.id
        if (event.data !== '') options.onEvent(event)
      }
    } catch {
      // A stream that breaks is taken up again below.
    }
    onState(false)
    if (!signal.aborted) await pause(wait, signal)
    wait = Math.min(longestWait, wait * 2)
  }
}

async function* eventsOf(
  { path, onState, signal }: EventStreamOptions,
  last: string,
): AsyncGenerator<StreamEvent> {
  const headers = {
    accept: 'text/event-stream',
    ...(last === '' ? {} : { 'last-event-id': last }),
  }
  const response = await fetch(addressOf(path), { headers, signal })
  if (!response.ok || response.body === null) throw new Error(String(response.status))
  onState(true)
  let rest = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    rest += value.replaceAll('\r\n', '\n')
    const blocks = rest.split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const event = eventIn(block)
      if (event !== null) yield event
    }
  }
}

/** One block of lines `field: value`; null where it is only a comment. A beat has an id and no data. */
function eventIn(block: string): StreamEvent | null {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const mark = line.indexOf(':')
    if (mark <= 0) continue
    const value = line.slice(mark + 1).replace(/^ /, '')
    const name = line.slice(0, mark)
    fields[name] = name === 'data' && 'data' in fields ? `${fields.data}\n${value}` : value
  }
  const { id = '', event: name = 'message', data = '' } = fields
  return data === '' && id === '' ? null : { id, name, data }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
