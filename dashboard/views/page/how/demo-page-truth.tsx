import { useEffect } from 'preact/hooks'
import { humanPeriod } from '../../../../src/model/duration.js'
import type { Seconds } from '../../../../src/model/units.js'
import { count } from '../../../parts/words.js'
import { useDemo } from '../../demo/use-demo.js'

/** What only the demo web knows of its page. */
export function DemoPageTruth({
  url,
  onTruth,
}: {
  url: string
  onTruth: (period: Seconds | null) => void
}) {
  const { data } = useDemo()
  const page = data?.pages.find((each) => each.url === url)
  useEffect(() => onTruth(page?.truePeriod ?? null), [page?.truePeriod])
  if (page === undefined) return null
  return (
    <>
      <h3>The truth</h3>
      <p>
        The demo web changes this page {humanPeriod(page.truePeriod)} ({page.law}). It has changed{' '}
        {count(page.changesReal)} times so far.
      </p>
    </>
  )
}
