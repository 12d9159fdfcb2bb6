import type { PutItem } from './items.js'
import { identityOf } from './items.js'
import { type AckStatus, ackStatus } from './wire.js'

/**
 * Stores items in as few commits as it can; the status of each, and null for
 * one that is to be tried again. Rejects where nothing was stored.
 */
export type CommitItems = (items: readonly PutItem[]) => Promise<readonly (AckStatus | null)[]>

interface Waiting {
  readonly item: PutItem
  readonly since: number
  /** Called once, with the fate of the item. */
  answer: ((status: AckStatus) => void) | null
}

/** Items of one commit at most, and how long the first of them waits for others. */
const most = 500
const patience = 10
/** While one batch is on its way to the disk, the next is judged. */
const mostUnderWay = 2
/** A client sends an item again that is not acknowledged within 60 s: before that it is told that it failed. */
const answerWithin = 20_000
const sweepEvery = 1_000
/** Before an item is tried again whose page is in the hands of another. */
const again = 100

/**
 * Items of all streams share commits: some hundred, or what came in 10 ms. An
 * item is answered once its commit is done. Items of one address are stored
 * one after the other, in the order in which they came. Where the database is
 * away, items are answered with FAIL and whatever is under way goes on: an
 * item that is stored after all and sent again changes nothing.
 */
export class ItemCommits {
  readonly #commit: CommitItems
  #waiting: Waiting[] = []
  /** Addresses under way, each with the items that wait for it. */
  readonly #busy = new Map<string, Waiting[]>()
  readonly #underWay = new Set<readonly Waiting[]>()
  /** To be tried again, together. */
  #again: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  readonly #sweep: NodeJS.Timeout
  #idle: (() => void)[] = []

  constructor(commit: CommitItems) {
    this.#commit = commit
    this.#sweep = setInterval(() => this.#giveUp(Date.now() - answerWithin), sweepEvery)
    this.#sweep.unref()
  }

  put(item: PutItem, answer: (status: AckStatus) => void): void {
    this.#waiting.push({ item, since: Date.now(), answer })
    this.#next()
  }

  /** Once all that came so far is stored or has failed. */
  async settled(): Promise<void> {
    if (this.#isIdle) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  get #isIdle(): boolean {
    return this.#waiting.length + this.#underWay.size + this.#again.length === 0
  }

  close(): void {
    clearInterval(this.#sweep)
    clearTimeout(this.#timer)
    this.#giveUp(Infinity)
  }

  #next(): void {
    if (this.#underWay.size >= mostUnderWay || this.#waiting.length === 0) return
    if (this.#waiting.length >= most) this.#begin()
    else this.#timer ??= setTimeout(() => this.#begin(), patience)
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#underWay.size >= mostUnderWay) return
    const batch: Waiting[] = []
    let taken = 0
    for (const each of this.#waiting) {
      if (batch.length === most) break
      taken++
      if (each.answer === null) continue
      const key = identityOf(each.item)
      const before = this.#busy.get(key)
      if (before !== undefined) before.push(each)
      else {
        this.#busy.set(key, [])
        batch.push(each)
      }
    }
    this.#waiting = taken === this.#waiting.length ? [] : this.#waiting.slice(taken)
    if (batch.length > 0) void this.#store(batch)
    this.#goOn()
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    this.#underWay.add(batch)
    const statuses = await this.#commit(batch.map(({ item }) => item)).catch(() => null)
    this.#underWay.delete(batch)
    for (const [at, each] of batch.entries()) {
      const status = statuses === null ? ackStatus.fail : statuses[at]!
      if (status !== null) this.#ended(each, status)
      else if (each.answer === null) this.#ended(each, ackStatus.fail)
      else if (this.#again.push(each) === 1) setTimeout(() => this.#tryAgain(), again)
    }
    this.#goOn()
  }

  #goOn(): void {
    this.#next()
    if (!this.#isIdle) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** Their addresses stay taken meanwhile: what came later for one is stored later. */
  #tryAgain(): void {
    const waiting = this.#again.filter(({ answer }) => answer !== null)
    const givenUp = this.#again.filter(({ answer }) => answer === null)
    this.#again = []
    for (const each of givenUp) this.#ended(each, ackStatus.fail)
    for (let from = 0; from < waiting.length; from += most)
      void this.#store(waiting.slice(from, from + most))
    this.#goOn()
  }

  /** Then it is the turn of those that waited for the address: one that was found again is known by now. */
  #ended(waiting: Waiting, status: AckStatus): void {
    answerTo(waiting, status)
    const key = identityOf(waiting.item)
    const others = this.#busy.get(key) ?? []
    this.#busy.delete(key)
    const back: Waiting[] = []
    for (const each of others)
      if (status !== ackStatus.fail && each.item.kind === 'discovered')
        answerTo(each, ackStatus.skipped)
      // One that was given up meanwhile is sent again by its client.
      else if (each.answer !== null) back.push(each)
    // Before all that came while they waited: of their address, too, something may have.
    if (back.length > 0) this.#waiting = [...back, ...this.#waiting]
  }

  /** Those who came before a time have waited for long enough. */
  #giveUp(before: number): void {
    for (const list of [this.#waiting, ...this.#underWay, this.#again, ...this.#busy.values()])
      for (const each of list) if (each.since <= before) answerTo(each, ackStatus.fail)
  }
}

function answerTo(waiting: Waiting, status: AckStatus): void {
  const { answer } = waiting
  waiting.answer = null
  answer?.(status)
}
