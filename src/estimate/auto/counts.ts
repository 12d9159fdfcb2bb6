/** Plain counts at the head of a memory, before the likelihoods. */
export const observationsAt = 0
export const changesAt = 1
/** Observations in a row without a change, up to now. */
export const calmRunAt = 2
/** Sum of all gaps, in plain seconds. */
export const sampledAt = 3
/** Log of how much likelier the flat clock made all that was seen than the group's clock did; bounded. */
export const flatLeadAt = 4
