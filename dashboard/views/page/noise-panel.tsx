import { request } from '../../api/request.js'
import { useLoad } from '../../app/use-load.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'
import { moment, plural } from '../../parts/words.js'

/** A part of the page that changes at every look and is left out of the comparison. */
interface MaskedPart {
  readonly where: string
  readonly example?: string
  readonly since?: number
  readonly seen?: number
}

/** What is masked as noise; nothing where the service tells of none. */
export function NoisePanel({ id }: { id: string }) {
  const { data } = useLoad(`noise ${id}`, (signal) =>
    request<{ parts: MaskedPart[] }>(`pages/${id}/noise`, { signal }),
  )
  if (data === undefined || data.parts.length === 0) return null
  return (
    <Panel
      title="Masked noise"
      size="half"
      note="Parts that differ at every look. They are left out when two visits are compared."
    >
      <ul class="noise">
        {data.parts.map(({ where, example, since, seen }) => (
          <li key={where}>
            <span class="mono">
              <OutsideText text={where} />
            </span>
            {example === undefined ? null : (
              <>
                {' '}
                <OutsideText text={example} />
              </>
            )}
            <span class="muted small">
              {seen === undefined ? '' : ` ${plural(seen, 'time')}`}
              {since === undefined ? '' : ` since ${moment(since)}`}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
