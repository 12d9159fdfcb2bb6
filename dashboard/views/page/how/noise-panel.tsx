import type { PageAnswer } from '../../../../src/server/pages/page-schema.js'
import { OutsideText } from '../../../parts/outside-text.js'
import { Panel } from '../../../parts/panel.js'

/** A place that is left out of the comparison, as the service keeps it. */
interface MaskedPlace {
  readonly kind: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
  readonly example?: string
}

const names: Readonly<Record<string, string>> = {
  time: 'a time',
  id: 'an identifier',
  elapsed: 'time that has passed',
  run: 'words that take turns',
  link: 'an address that varies',
  rotating: 'texts that take turns from visit to visit',
}

/** What is masked as noise; nothing where there is none. */
export function NoisePanel({ page: { noise } }: { page: PageAnswer }) {
  const { masks } = (noise ?? {}) as { readonly masks?: readonly MaskedPlace[] }
  if (!Array.isArray(masks) || masks.length === 0) return null
  return (
    <Panel
      title="Masked noise"
      size="half"
      note="Places that differ at every request. They are left out when two visits are compared."
    >
      <ul class="noise">
        {(masks as readonly MaskedPlace[]).map((mask, i) => (
          <li key={`${i} ${mask.example}`}>
            {names[mask.kind] ?? <OutsideText text={mask.kind} />}:{' '}
            <span class="mono">
              <span class="muted">
                <OutsideText text={joined(mask.before)} />
              </span>{' '}
              <mark>
                <OutsideText text={mask.example ?? ''} />
              </mark>{' '}
              <span class="muted">
                <OutsideText text={joined(mask.after)} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The ends of lines between words are no news here. */
function joined(words: readonly string[] = []): string {
  return words.join(' ').replace(/\s+/g, ' ')
}
