import type { DemoAnswer } from '../../../src/server/collection/demo.js'
import { logDurationTicks, withRoom } from '../../charts/ticks.js'
import { useWidth } from '../../charts/use-width.js'
import { shortDuration } from '../../parts/words.js'

type DemoPage = DemoAnswer['pages'][number]

const margin = { left: 46, right: 10, top: 8, bottom: 34 }

/** True periods across, estimated ones upwards, both logarithmic. */
export function PeriodScatter({ pages }: { pages: readonly DemoPage[] }) {
  const { ref, width } = useWidth<HTMLDivElement>()
  // As high as wide, so that the line stands at 45 degrees, where there is room.
  const height = Math.min(400, Math.max(270, width - margin.left + margin.bottom))
  const known = pages.filter(
    (page): page is DemoPage & { estimatedPeriod: number } =>
      page.estimatedPeriod !== null && page.estimatedPeriod > 0 && page.changesSeen > 0,
  )
  const all = known.flatMap(({ truePeriod, estimatedPeriod }) => [truePeriod, estimatedPeriod])
  const low = Math.log(Math.min(1800, ...all))
  const high = Math.log(Math.max(10 * 86_400, ...all))
  const along = (value: number) => (Math.log(value) - low) / (high - low)
  const x = (value: number) => margin.left + along(value) * (width - margin.left - margin.right)
  const y = (value: number) =>
    height - margin.bottom - along(value) * (height - margin.top - margin.bottom)
  const [first, last] = [Math.exp(low), Math.exp(high)]
  const line = (factor: number) => {
    const [a, b] = factor >= 1 ? [first, last / factor] : [first / factor, last]
    return `M${x(a)} ${y(a * factor)}L${x(b)} ${y(b * factor)}`
  }
  const within = known.filter(({ truePeriod, estimatedPeriod }) => {
    const ratio = estimatedPeriod / truePeriod
    return ratio >= 0.5 && ratio <= 2
  }).length
  const ticks = logDurationTicks([first, last], 7)
  const across = withRoom(ticks.map((each) => ({ x: x(each), word: shortDuration(each) })))
  return (
    <div ref={ref}>
      {known.length === 0 ? <p class="muted">No page was seen to change yet.</p> : null}
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`True against estimated change periods of ${known.length} pages: ${within} within a factor of 2`}
      >
        {ticks.map((each) => (
          <g key={each}>
            <path d={`M${x(each)} ${margin.top}V${height - margin.bottom}`} class="stroke-rule" />
            <path d={`M${margin.left} ${y(each)}H${width - margin.right}`} class="stroke-rule" />
            <text x={margin.left - 6} y={y(each) + 4} class="chart-text end">
              {shortDuration(each)}
            </text>
          </g>
        ))}
        {across.map(({ x, word }) => (
          <text key={word} x={x} y={height - margin.bottom + 14} class="chart-text middle">
            {word}
          </text>
        ))}
        <path d={line(1)} class="stroke-ink line" />
        <path d={line(2)} class="stroke-muted thin" />
        <path d={line(0.5)} class="stroke-muted thin" />
        {known.map(({ url, truePeriod, estimatedPeriod }) => (
          <circle key={url} cx={x(truePeriod)} cy={y(estimatedPeriod)} r="3" class="scatter-mark" />
        ))}
        <text x={width / 2} y={height - 4} class="chart-text middle">
          true change period
        </text>
        <text x={margin.left + 6} y={margin.top + 10} class="chart-text">
          estimated
        </text>
      </svg>
      <p class="muted small">
        {within} of {known.length} pages whose visits can tell are within a factor of 2.
      </p>
    </div>
  )
}
