/**
 * Where each policy, estimator and learner comes from: the paper, and the place
 * in it. Declared once, beside the registry of their names, for the lists of the
 * command line and the docs; a test holds that none is missing.
 */
export interface Source {
  /** Authors and year of the paper, or the name of the program. */
  readonly paper: string
  /** Equation, listing, section or class. */
  readonly where: string
}

const malcolmArmitage = (where: string): Source => ({ paper: 'Malcolm & Armitage 2003', where })
const grimesFord = (where: string): Source => ({ paper: 'Grimes & Ford 2008', where })
const hattab = (where: string): Source => ({ paper: 'Hattab 2007', where })
const li = (where: string): Source => ({ paper: 'Li, Cline & Loguinov 2015', where })
const singh = (where: string): Source => ({ paper: 'Singh 2007', where })
const choGarciaMolina = (where: string): Source => ({ paper: 'Cho & Garcia-Molina 2003', where })
const own: Source = { paper: 'Revisit', where: 'docs/guides/default.md' }

/** By policy; null where the rule is nobody's. */
export const policySources: Readonly<Record<string, Source | null>> = {
  auto: own,
  fixed: null,
  'typical-crawler': hattab('section 4, the typical crawler'),
  'malcolm-armitage-1': malcolmArmitage('Listing 1 and Table 3'),
  'malcolm-armitage-2': malcolmArmitage('Listing 2 and Table 4'),
  'malcolm-armitage': malcolmArmitage('Listings 1 and 2'),
  'grimes-ford': grimesFord('sections 4.1, 4.4 and 5'),
  singh: singh('section 5'),
  barrels: hattab('section 3, Figure 4'),
  declared: hattab('section 3, Example 1'),
  nutch: { paper: 'Apache Nutch', where: 'AdaptiveFetchSchedule' },
  'storm-crawler': { paper: 'StormCrawler', where: 'AdaptiveScheduler' },
  'random-gaps-exponential': li('section VI'),
  'random-gaps-uniform': li('section VI'),
}

const ofRates: Readonly<Record<string, Source>> = {
  intuitive: malcolmArmitage('eq. 1'),
  'bias-reduced': choGarciaMolina('section 4.2; Grimes & Ford 2008, eq. 1'),
  'detection-gap': malcolmArmitage('eq. 3'),
  'detection-gap-uncorrected': malcolmArmitage('eq. 3 without its last line'),
  'irregular-mle': grimesFord('eq. 2'),
  online: { paper: 'Revisit', where: 'after Avrachenkov, Patil & Thoppe 2020' },
  'mean-content-age': malcolmArmitage('eq. 2'),
  'last-modified': choGarciaMolina('Figure 5'),
  auto: own,
}

/** By estimator of a change rate. */
export const estimatorSources: Readonly<Record<string, Source>> = {
  ...ofRates,
  posterior: grimesFord('section 4.3'),
}

/** By learner. */
export const learnerSources: Readonly<Record<string, Source>> = {
  ...ofRates,
  'malcolm-armitage': malcolmArmitage('eqs 2 and 3'),
  'consistent-window': singh('sections 4 and 5'),
}

/** By method for the distribution of update gaps. */
export const distributionSources: Readonly<Record<string, Source>> = {
  m1: li('eqs 4 to 8'),
  m2: li('eqs 11 and 12'),
  m3: li('eqs 16 to 18'),
  m4: li('eqs 19 and 20'),
  m5: li('eqs 21 and 22'),
  'm5-runs': li('eq. 21, over the time of complete runs'),
  'g-m4': li('eq. 25'),
  m6: li('eqs 26 to 30'),
  'five-point': li('section IV-E'),
}

/** By estimator of a change rate that rises or falls. */
export const trendSources: Readonly<Record<string, Source>> = {
  intuitive: singh('section 3.1'),
  weibull: singh('eqs 3 to 5'),
  'weibull-corrected-shape': singh('section 3.2, after Lemma 1'),
  'weibull-unbiased': {
    paper: 'Revisit',
    where: 'the form of Singh 2007, section 3.2, with its constant recomputed',
  },
  'weibull-printed-check': singh('section 3.2, the form of its experiments'),
  'weibull-printed-bar': singh('section 3.2, last form'),
  duane: singh('sections 3.3 and 3.4, the rate at the moment'),
  'duane-cumulative': singh('sections 3.3 and 3.4, as printed'),
}

/** As a person reads it: `Malcolm & Armitage 2003, Listing 1 and Table 3`. */
export function sourceText({ paper, where }: Source): string {
  return `${paper}, ${where}`
}
