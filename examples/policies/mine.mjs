// A rule of one's own: seconds to the next visit, asked after each visit.
// revisit evaluate --histories updates.csv --objects objects.csv --policies equal,auto --policy examples/policies/mine.mjs

const DAY = 86_400

export default {
  name: 'mine',
  summary: 'half the estimated time between changes; sooner after a change',
  nextGap(page) {
    const usual = (page.changePeriod ?? 7 * DAY) / 2
    return page.changed ? usual / 2 : usual
  },
}
