/** A group's law is learned anew after a day, then each time half as much time again has passed. */
const firstDay = 1
const growth = 1.5

/** On which mornings laws are learned anew; asked day by day. */
export class Relearning {
  #next = firstDay

  isTime(day: number): boolean {
    if (day < this.#next) return false
    this.#next = Math.ceil(day * growth)
    return true
  }
}
