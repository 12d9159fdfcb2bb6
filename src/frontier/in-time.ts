import { EnvironmentError } from '../model/errors.js'
import type { Seconds } from '../model/units.js'

/** A database that is away for longer is none: the client asks again. */
const answerWithin: Seconds = 20

/** What the store does not answer in time is asked for again by the client. */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const message = `the store did not answer within ${answerWithin} s; ask again`
    timer = setTimeout(
      () => reject(new EnvironmentError('store-away', message)),
      answerWithin * 1000,
    )
  })
  answer.catch(() => {})
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
