import { useEffect, useRef, useState } from 'preact/hooks'
import type { LabMessage, LabPoint, LabRun, PolicyRow } from './lab-run.js'

/** An experiment as far as it has come. */
export interface LabState {
  readonly running: boolean
  readonly changePeriod: number | null
  readonly summary: string
  readonly points: readonly LabPoint[]
  readonly rows: readonly PolicyRow[]
  readonly share: number
  readonly done: { readonly milliseconds: number; readonly visits: number } | null
  readonly error: string | null
}

const nothing: LabState = {
  running: false,
  changePeriod: null,
  summary: '',
  points: [],
  rows: [],
  share: 0,
  done: null,
  error: null,
}

/** Starts experiments in a worker of their own; a new one, or `stop`, ends the one before. */
export function useLab(): { state: LabState; start: (run: LabRun) => void; stop: () => void } {
  const [state, setState] = useState(nothing)
  const worker = useRef<Worker | null>(null)
  const stop = () => {
    worker.current?.terminate()
    worker.current = null
    setState((before) => ({ ...before, running: false }))
  }
  const start = (run: LabRun) => {
    stop()
    const made = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    worker.current = made
    setState({ ...nothing, running: true })
    made.onmessage = ({ data }: MessageEvent<LabMessage>) =>
      setState((before) => after(before, data))
    made.onerror = ({ message }) =>
      setState((before) => ({ ...before, running: false, error: message || 'The worker failed.' }))
    made.postMessage(run)
  }
  useEffect(() => () => worker.current?.terminate(), [])
  return { state, start, stop }
}

function after(before: LabState, message: LabMessage): LabState {
  switch (message.kind) {
    case 'truth':
      return { ...before, changePeriod: message.changePeriod, summary: message.summary }
    case 'points':
      return { ...before, points: [...before.points, ...message.points] }
    case 'row':
      return { ...before, rows: [...before.rows, message.row], share: message.share }
    case 'done':
      return { ...before, running: false, done: message }
    case 'failed':
      return { ...before, running: false, error: message.message }
  }
}
