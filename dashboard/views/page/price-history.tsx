import { useMemo } from 'preact/hooks'
import type { Answers } from '../../../src/server/answers.js'
import type { PageAnswer } from '../../../src/server/pages/page-schema.js'
import { request } from '../../api/request.js'
import { useService } from '../../app/service.js'
import { useLoad } from '../../app/use-load.js'
import { Plot } from '../../charts/plot.js'
import { timeTicks } from '../../charts/ticks.js'
import { Panel } from '../../parts/panel.js'
import { Moment } from '../../parts/time.js'
import { moment, shortTime } from '../../parts/words.js'

type Offer = Answers['GET pages/:id/offers']['offers'][number]

/** What the page asks for a thing, where it asks for one, and how that went. */
export function PriceHistory({ page: { id, changes, visits } }: { page: PageAnswer }) {
  const { data } = useLoad(`offers ${id} ${changes} ${visits > 0}`, async (signal) => {
    const params = { id }
    // Most pages sell nothing: their newest version is read, and no other.
    const newest = await request('GET pages/:id/offers', { params, query: { limit: 1 }, signal })
    if (newest.offers.length === 0) return newest
    return request('GET pages/:id/offers', { params, signal })
  })
  // A bare number in the text may be anything.
  const offers = (data?.offers ?? []).filter(
    ({ currency, from, inStock }) => currency !== null || from === 'json-ld' || inStock !== null,
  )
  const last = offers.at(-1)
  if (last === undefined) return null
  const priced = offers.filter(({ price }) => price !== null)
  return (
    <Panel title="Price">
      <p>
        <span class="strong">{priceWords(last)}</span>
        {last.inStock === null ? null : last.inStock ? ', in stock' : ', out of stock'}{' '}
        <span class="muted small">
          since <Moment at={last.at} />
        </span>
      </p>
      {priced.length < 2 ? null : <PricePlot offers={priced} />}
    </Panel>
  )
}

function PricePlot({ offers }: { offers: readonly Offer[] }) {
  const { now } = useService()
  const [first, last] = [offers[0]!, offers.at(-1)!]
  // The last price holds until now.
  const until = useMemo(() => Math.max(now(), last.at), [offers])
  const data = useMemo(
    () => [
      [...offers.map(({ at }) => at), until],
      [...offers.map(({ price }) => price), last.price],
    ],
    [offers, until],
  )
  const span = until - first.at
  return (
    <Plot
      label={`Price from ${moment(first.at)} (${priceWords(first)}) to ${moment(last.at)} (${priceWords(last)})`}
      data={data}
      series={[{ name: 'price', colour: 'c1', steps: true }]}
      height={160}
      xTicks={timeTicks}
      xWords={(at) => shortTime(at, { span })}
      yWords={(price) => priceWords({ price, currency: last.currency })}
    />
  )
}

function priceWords({ price, currency }: Pick<Offer, 'price' | 'currency'>): string {
  if (price === null) return 'no price'
  const digits = Number.isInteger(price) ? 0 : 2
  const number = price.toLocaleString(undefined, {
    minimumFractionDigits: digits,
    maximumFractionDigits: 2,
  })
  return currency === null ? number : `${number} ${currency}`
}
