/**
 * A plain discrete-event simulator, to compare with: one binary heap of events
 * in order of time, a change event and a visit event for every page. The same
 * pages, policy and estimate as the simulator it is measured against, so the
 * two must agree within chance.
 */
class EventQueue {
  #events = []

  push(event) {
    const events = this.#events
    let at = events.length
    events.push(event)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (events[parent].time <= event.time) break
      events[at] = events[parent]
      at = parent
    }
    events[at] = event
  }

  pop() {
    const events = this.#events
    const first = events[0]
    const last = events.pop()
    if (events.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= events.length) break
      if (child + 1 < events.length && events[child + 1].time < events[child].time) child++
      if (events[child].time >= last.time) break
      events[at] = events[child]
      at = child
    }
    events[at] = last
    return first
  }

  get size() {
    return this.#events.length
  }
}

/** Visits Poisson pages by Listing 2, event by event. */
export function eventQueueSimulation({ pages, period, length, planner, random }) {
  const queue = new EventQueue()
  const all = Array.from({ length: pages }, (_, id) => newPage(id, planner))
  for (const page of all) {
    queue.push({ time: period * random.exponential(), page, kind: 'change' })
    queue.push({ time: 0, page, kind: 'visit' })
  }
  let visits = 0
  let changes = 0
  while (queue.size > 0) {
    const event = queue.pop()
    const { time, page } = event
    if (event.kind === 'change') {
      changes++
      page.dirty = true
      page.staleFrom ??= time
      const next = time + period * random.exponential()
      if (next <= length && !page.stopped) queue.push({ time: next, page, kind: 'change' })
      continue
    }
    visits++
    visit(page, { time, planner })
    const next = time + planner.policy.nextGap(page.view)
    if (next <= length) queue.push({ time: next, page, kind: 'visit' })
    else page.stopped = true
  }
  const estimates = all.map((page) => page.view.changePeriod)
  return { visits, changes, meanEstimate: estimates.reduce((a, b) => a + b, 0) / pages }
}

function newPage(id, { learner }) {
  return {
    id,
    dirty: false,
    staleFrom: undefined,
    staleTime: 0,
    stopped: false,
    lastVisit: undefined,
    memory: new Float64Array(learner.size),
    view: { changes: 0, changePeriod: 0, visits: 0 },
  }
}

function visit(page, { time, planner }) {
  const { view, memory } = page
  view.visits++
  if (page.lastVisit === undefined) planner.learner.start(memory, Number.NaN)
  else {
    const gap = time - page.lastVisit
    planner.learner.learn(memory, { gap, changed: page.dirty, contentAge: Number.NaN })
    if (page.dirty) {
      view.changes++
      page.staleTime += time - page.staleFrom
    }
  }
  view.changePeriod = planner.learner.changePeriod(memory)
  page.lastVisit = time
  page.dirty = false
  page.staleFrom = undefined
}
