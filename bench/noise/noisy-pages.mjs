/**
 * Pages with noise of every kind, whose true changes are known: each has an
 * article of which `change()` replaces one word, right beside the noise. Fast
 * pages change truly at every fetch.
 */
const words =
  'harbour lantern tide granite meadow copper willow signal orchard bridge candle engine summit velvet garden mirror thunder pocket ribbon castle'.split(
    ' ',
  )
const ads = [
  'Shoes for every road|Walk further with half the effort this autumn|/buy/shoes',
  'Coffee from the hills|Freshly roasted and sent to your door|/buy/coffee',
  'Learn to sail|Lessons on the lake for beginners and the brave|/learn/sail',
  'A quieter keyboard|Your neighbours will thank you for the silence|/buy/keyboard',
  'Travel by night train|Sleep here and wake up there, from 39 a night|/travel/trains',
].map((each) => each.split('|'))

/** `random` gives numbers from 0 to 1; the clock of the pages runs by the fetches. */
export function noisyPages(random) {
  const token = (size) =>
    Array.from(
      { length: size },
      () => '0123456789abcdefghijklmnopqrstuvwxyz'[pick(random, 36)],
    ).join('')
  const clock = () => {
    seconds += 2 + pick(random, 5000)
    return new Date(1.7e12 + 1000 * seconds)
  }
  let seconds = 0
  const ad = () => {
    const [title, text, link] = ads[pick(random, ads.length)]
    return `<aside><h3>${title}</h3><p>${text} <a href="${link}">more</a></p></aside>`
  }
  const nonce = () => `<p>Request id ${token(12)} served.</p>`
  const time = () =>
    `<p>It is ${clock().toISOString().slice(11, 19)} now, made in 0.0${1 + pick(random, 900)} seconds</p>`
  const session = () => {
    const sid = token(16)
    return `<p>Your session: ${sid}</p><a href="/cart?sid=${sid}">cart</a> <a href="/help;s=${sid}">help</a>`
  }
  const labelled = () =>
    `<div><p>Advertisement</p><p>${pickWord(random)} ${pickWord(random)} for ${pickWord(random)} and ${pickWord(random)}</p></div>`
  const unseen = () =>
    `<script nonce="${token(16)}">var t="${token(20)}"</script><!-- ${token(9)} -->`
  const noises = { quiet: () => '', unseen, nonce, time, session, ad, labelled }
  const all = () => [unseen, nonce, time, ad, session, labelled].map((each) => each()).join('\n')
  return [
    ...Object.entries({ ...noises, all }).map(([name, noise]) => noisyPage(name, noise)),
    rotatingPage('ten in turn', { texts: teasers(10), next: (last) => (last + 1) % 10, time }),
    rotatingPage('three by chance', { texts: teasers(3), next: () => pick(random, 3) }),
    teaserPage('teaser', random),
    teaserPage('teaser beside', random, { beside: teasers(6) }),
    teaserPage('teaser seldom', random, { chance: 0.1 }),
    fastPage(
      'fast words',
      () =>
        `${pickWord(random)} ${pickWord(random)} ${pickWord(random)} in the ${pickWord(random)} today`,
    ),
    fastPage('fast number', () => `The price is ${(100 + 50 * random()).toFixed(2)} euro now`),
    fastPage('fast count', (fetches) => `This is edition ${fetches} of the paper`),
  ]
}

/** Noise before, within and after an article of which one word changes at a time. */
function noisyPage(name, noise) {
  const article = Array.from({ length: 60 }, (_, i) => words[(7 * i) % words.length])
  let version = 0
  return {
    name,
    fast: false,
    version: () => version,
    /** The first and the last word are changed too: they stand right beside the noise. */
    change() {
      version++
      article[[0, article.length - 1, (13 * version) % article.length][version % 3]] =
        `word${version}`
    },
    render: () =>
      `<!doctype html><title>A page</title><h1>Site</h1>${noise()}<p>${article.slice(0, 30).join(' ')}</p>${noise()}<p>${article.slice(30).join(' ')}</p><footer>The end</footer>`,
  }
}

/** Sentences that have few words in common. */
function teasers(count) {
  return Array.from(
    { length: count },
    (_, i) =>
      `${words[i]} ${words[(i + 7) % 20]} makes ${words[(i + 12) % 20]} shine again, says ${words[(i + 3) % 20]}${i}`,
  )
}

/** One of several texts, the same for all requests of a visit; `article` changes truly. */
function rotatingPage(name, { texts, next, time = () => '' }) {
  const page = noisyPage(name, () => '')
  let shown = 0
  return {
    ...page,
    rotating: true,
    visit() {
      shown = next(shown)
    },
    render: () =>
      page.render().replace('</h1>', `</h1>${time()}<aside><p>${texts[shown]}</p></aside>`),
  }
}

/** A teaser that is news each time it changes; beside it others may take turns. */
function teaserPage(name, random, { beside = [], chance = 0.5 } = {}) {
  const page = noisyPage(name, () => '')
  let edition = 0
  let shown = 0
  return {
    ...page,
    rotating: beside.length > 0,
    version: () => `${page.version()} ${edition}`,
    visit() {
      shown = (shown + 1) % Math.max(1, beside.length)
      if (random() < chance) edition++
    },
    render: () =>
      page
        .render()
        .replace(
          '</h1>',
          `</h1><aside><p>${beside[shown] ?? ''}</p></aside><h2>${pickWordAt(edition)} ${pickWordAt(3 * edition + 1)} opens edition${edition} for ${pickWordAt(7 * edition)} number${edition}</h2>`,
        ),
  }
}

function pickWordAt(i) {
  return words[i % words.length]
}

function fastPage(name, news) {
  let fetches = 0
  return {
    name,
    fast: true,
    version: () => fetches,
    change() {},
    render() {
      fetches++
      return `<!doctype html><title>News</title><h1>Fast</h1><p>${news(fetches)}</p><p>Always the same below</p>`
    },
  }
}

function pick(random, count) {
  return Math.floor(random() * count)
}

function pickWord(random) {
  return words[pick(random, words.length)]
}
