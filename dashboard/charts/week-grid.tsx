import type { HoursOfWeek } from '../../src/estimators/trend/hours-of-week.js'
import { dayNames, HOUR } from '../../src/model/units.js'
import { two, zoneOffset } from '../parts/words.js'
import { useWidth } from './use-width.js'

const left = 36
const height = 18

/** When in the week a page changes: the stronger the colour, the more changes per hour watched. */
export function WeekGrid({ hours: inUtc }: { hours: HoursOfWeek }) {
  const hours = onTheWall(inUtc)
  const density = Array.from(hours.changes, (changes, i) =>
    hours.watched[i]! > 0 ? changes / hours.watched[i]! : null,
  )
  const most = density.reduce<number>((all, each) => Math.max(all, each ?? 0), 0)
  const busiest = density.indexOf(most)
  const { ref, width } = useWidth<HTMLElement>()
  const cell = { width: Math.max(4, (width - left) / 24), height }
  return (
    <figure ref={ref} class="figure">
      <svg
        width={width}
        height={7 * cell.height + 22}
        class="week-grid"
        role="img"
        aria-label={`A square for each hour of the week. Busiest: ${hourWords(busiest)}.`}
      >
        {density.map((each, i) => (
          <rect
            key={i}
            x={left + (i % 24) * cell.width + 1}
            y={Math.floor(i / 24) * cell.height + 1}
            width={cell.width - 2}
            height={cell.height - 2}
            rx="2"
            class={each === null ? 'unwatched' : 'watched'}
            fill-opacity={each === null ? 1 : 0.06 + 0.94 * (most > 0 ? each / most : 0)}
          >
            <title>
              {hourWords(i)}: {hours.changes[i]!.toFixed(1)} changes in{' '}
              {hours.watched[i]!.toFixed(1)} hours watched
            </title>
          </rect>
        ))}
        {dayNames.map((day, i) => (
          <text key={day} x="0" y={i * cell.height + 13} class="chart-text">
            {day}
          </text>
        ))}
        {[0, 3, 6, 9, 12, 15, 18, 21].map((hour) => (
          <text
            key={hour}
            x={left + (hour + 0.5) * cell.width}
            y={7 * cell.height + 17}
            class="chart-text middle"
          >
            {two(hour)}
          </text>
        ))}
      </svg>
      <figcaption>
        {most > 0 ? `Busiest: ${hourWords(busiest)}. ` : 'No change was seen. '}
        {hours.dated === 0
          ? 'No change is dated: each is shared out over the gap that saw it.'
          : `${hours.dated} changes are dated by the server; the others are shared out over the gap that saw them.`}{' '}
        Hours of this clock{zoneOffset(Date.now() / 1000) === 0 ? ', which is on UTC' : ''}.
      </figcaption>
    </figure>
  )
}

/** Turned by as many whole hours as this person's clock is ahead of UTC today. */
function onTheWall({ changes, watched, dated }: HoursOfWeek): HoursOfWeek {
  const ahead = Math.round(zoneOffset(Date.now() / 1000) / HOUR)
  const turned = (all: Float64Array) =>
    all.map((_, i) => all[(i - ahead + all.length) % all.length]!)
  return { changes: turned(changes), watched: turned(watched), dated }
}

function hourWords(i: number): string {
  return `${dayNames[Math.floor(i / 24)]} ${two(i % 24)}:00 to ${two((i + 1) % 24)}:00`
}
