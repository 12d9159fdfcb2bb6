import type { Clock } from '../../../src/model/units.js'

/** A clock that stands still until it is set, backwards too. */
export class SettableClock implements Clock {
  at: number

  constructor(at: number) {
    this.at = at
  }

  now(): number {
    return this.at
  }

  async sleep(duration: number): Promise<void> {
    this.at += duration
  }
}
