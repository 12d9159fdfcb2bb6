import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * What tells one process from all others that use a store. Two containers may
 * have one host name and the number 1 each, and a number is given again: so the
 * name holds the machine's start, the numbering it is of, and when it began.
 */
interface ProcessMark {
  readonly machine: string
  readonly pid: number
  /** Of the machine's start; empty where it cannot be known, as all below. */
  readonly boot: string
  /** Which processes its number counts among; each container has its own. */
  readonly space: string
  /** When it began, by the machine's clock since its start. */
  readonly began: string
}

/** The name of this process: `machine:pid:boot.space.began.random`. */
export function workerName(pid = process.pid): string {
  const { machine, boot, space, began } = markOf(pid)
  return `${machine}:${pid}:${boot}.${space}.${began}.${randomBytes(4).toString('hex')}`
}

/** Whether the process of this name may still be at work; true where that cannot be known. Parts of it have its name and a word: `:plan`. */
export function mayRun(worker: string): boolean {
  const parts = /^(.+):(\d+):([\da-f]*)\.(\d*)\.(\d*)\.[\da-f]{8}(?:[: ][a-z]+)?$/.exec(worker)
  if (parts === null) return true
  const [, machine, number, boot, space, began] = parts as unknown as string[]
  const here = markOf(process.pid)
  if (machine !== here.machine) return true
  if (boot !== here.boot) return false
  if (space !== here.space) return true
  const pid = Number(number)
  return isAlive(pid) && markOf(pid).began === began
}

function markOf(pid: number): ProcessMark {
  return { machine: hostname(), pid, boot: bootMark(), space: spaceMark(), began: beganMark(pid) }
}

function bootMark(): string {
  return read('/proc/sys/kernel/random/boot_id').replaceAll('-', '').trim().slice(0, 12)
}

function spaceMark(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? ''
  } catch {
    return ''
  }
}

/** The 22nd field; the second, a name in brackets, may hold spaces and brackets. proc(5). */
function beganMark(pid: number): string {
  const stat = read(`/proc/${pid}/stat`)
  const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  return /^\d+$/.test(began) ? began : ''
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Empty where there is no such file, as beyond Linux. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
