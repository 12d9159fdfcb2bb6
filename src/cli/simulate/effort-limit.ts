/**
 * What is run without asking: about ten minutes on one core at the slowest, a
 * learner that climbs a likelihood at each visit.
 */
export const effortLimit = {
  steps: 1e9,
  words: '1,000,000,000 simulated visits and changes',
} as const
