import { lawKinds, type PageTruth } from '../../demo/index.js'
import { canBeSeen } from './freshness-meter.js'

/** Of each law a faster and a slower page, law by law. */
export function samplePages(truths: readonly PageTruth[]): PageTruth[] {
  return Object.keys(lawKinds).flatMap((law) => {
    const alike = truths
      .filter((each) => each.law === law && canBeSeen(each) && each.goneAt === null)
      .sort((a, b) => a.changePeriod - b.changePeriod)
    const places = [0.2, 0.6].map((share) => Math.floor(share * alike.length))
    return [...new Set(places)].flatMap((place) => alike[place] ?? [])
  })
}
