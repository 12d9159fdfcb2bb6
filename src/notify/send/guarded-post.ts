import { type Agent, request } from 'undici'
import { AddressGuard, type AddressOptions } from '../../fetch/address-guard.js'
import { connectionWords } from '../../fetch/answer.js'
import { guardedAgent } from '../../fetch/http-fetcher.js'
import { fetchLimits } from '../../fetch/limits.js'
import type { Seconds } from '../../model/units.js'
import { notSent, type SendResult } from '../delivery.js'
import { refusalWords } from './refusal-words.js'

export interface Post {
  readonly url: string
  /** POST by default. */
  readonly method?: 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface GuardedPostOptions extends AddressOptions {
  /** Of Revisit. */
  readonly version: string
  /** For one message, from connecting to the end of the answer; 10 s by default. */
  readonly sendTime?: Seconds
}

/** So much of an answer is taken in to keep the connection; of one that refuses, to find why. */
const [mostAnswer, mostRefusal] = [16 * 1024, 4 * 1024]
/** The guard speaks of pages to visit; what is sent of their changes has a setting of its own. */
const privateAdvice = 'is a private or reserved address; allow its network with notify-networks'
/** The receiver itself is wrong or away, rather than the message. */
const receiverStatus = new Set([401, 403, 404, 405, 408, 410, 421, 425, 429])

/**
 * Sends a body by POST, where the guard lets it go: private addresses are
 * refused unless allowed, also where a name leads to them. Redirects are not
 * followed: they would lead around the guard, and take the signature along.
 */
export class GuardedPost {
  readonly #agent: Agent
  readonly #sendTime: Seconds
  readonly #userAgent: string

  constructor({ version, sendTime = 10, ...addresses }: GuardedPostOptions) {
    const guard = new AddressGuard(addresses)
    const limits = fetchLimits({ connectTime: Math.min(5, sendTime) })
    this.#agent = guardedAgent({ guard, limits, connectionsPerHost: 4 })
    this.#sendTime = sendTime
    this.#userAgent = `Revisit/${version}`
  }

  async send({ url, method = 'POST', headers, body }: Post): Promise<SendResult> {
    const signal = AbortSignal.timeout(this.#sendTime * 1000)
    try {
      const answer = await request(url, {
        method,
        dispatcher: this.#agent,
        headers: { ...headers, 'user-agent': this.#userAgent },
        body,
        signal,
      })
      // The status is the answer; what follows may be endless, slow or broken off.
      if (answer.statusCode >= 400) {
        const why = refusalWords(await beginning(answer.body), { url, headers, body })
        return statusResult(answer.statusCode, why)
      }
      await answer.body.dump({ limit: mostAnswer, signal }).catch(() => {})
      return statusResult(answer.statusCode)
    } catch (error) {
      const { name, code } = error as NodeJS.ErrnoException
      if (code === 'ADDRESS_REFUSED')
        return notSent('receiver', `${new URL(url).hostname} ${privateAdvice}`)
      if (name === 'TimeoutError')
        return notSent('receiver', `no answer within ${this.#sendTime} s`)
      return notSent('receiver', connectionWords(error) || 'no connection')
    }
  }

  /** Ends its connections once what is under way has been answered. */
  end(): void {
    this.#agent.close().catch(() => undefined)
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

/** What comes of an answer until it is enough, ends or breaks off. */
async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length >= mostRefusal) break
    }
  } catch {
    // What came counts.
  }
  return text
}

function statusResult(status: number, why = ''): SendResult {
  if (status >= 200 && status < 300) return { sent: true }
  const said = status < 400 ? 'redirects are not followed' : why
  const error = said === '' ? `status ${status}` : `status ${status}: ${said}`
  const receiver = status < 400 || status >= 500 || receiverStatus.has(status)
  return notSent(receiver ? 'receiver' : 'notice', error)
}
