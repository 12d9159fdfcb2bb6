import type { Json } from '../../../src/model/index.js'
import type { PageAnswer } from '../../api/answers.js'
import { OutsideText } from '../../parts/outside-text.js'
import { Panel } from '../../parts/panel.js'

/** What the publisher says of the page's changes; nothing where it says nothing. */
export function HintsPanel({ page: { hints, validators } }: { page: PageAnswer }) {
  const told = Object.entries(objectIn(hints))
  const sent = Object.entries(validators).filter(([, value]) => value !== undefined)
  if (told.length === 0 && sent.length === 0) return null
  return (
    <Panel title="What the publisher says" size="half">
      <dl class="facts">
        {[...told, ...sent].map(([name, value]) => (
          <Fact key={name} name={name} value={value as Json} />
        ))}
      </dl>
    </Panel>
  )
}

function Fact({ name, value }: { name: string; value: Json }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return (
    <>
      <dt>
        <OutsideText text={name} />
      </dt>
      <dd class="mono">
        <OutsideText text={text} />
      </dd>
    </>
  )
}

function objectIn(hints: Json): Readonly<Record<string, Json>> {
  if (typeof hints !== 'object' || hints === null || Array.isArray(hints)) return {}
  return hints as Readonly<Record<string, Json>>
}
