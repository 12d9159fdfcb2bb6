// A way of one's own to share the visits out: asked each morning for the visits a day of every
// page. `budget` is how many there are; only the proportions count, so it is always kept.
// revisit evaluate --histories updates.csv --objects objects.csv --policies equal,auto --policy examples/policies/sharing.mjs

const DAY = 86_400

export default {
  name: 'square-root',
  summary: 'visits in proportion to the square root of the estimated change rate',
  rates(pages, budget) {
    const even = budget / pages.length
    return pages.map(({ changePeriod }) =>
      changePeriod === null ? even : even * Math.sqrt(DAY / changePeriod),
    )
  },
}
