// A rule of one's own: seconds to the next visit, asked after each visit.
// revisit evaluate --histories updates.csv --objects objects.csv --policies equal,auto --policy examples/policies/mine.mjs

const WEEK = 7 * 86_400

export default {
  name: 'mine',
  summary: 'between a week and the estimated time between changes; sooner after a change',
  nextGap(page) {
    const usual = Math.sqrt((page.changePeriod ?? WEEK) * WEEK)
    return page.changed ? usual / 2 : usual
  },
}
