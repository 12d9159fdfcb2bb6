import type { PageAnswer } from '../../../../src/server/pages/page-schema.js'
import { linkTo } from '../../../app/route.js'
import { OutsideText } from '../../../parts/outside-text.js'
import { Panel } from '../../../parts/panel.js'
import { allFields, textOf, valueIn } from './fields.js'

/** What is set for this page alone. */
export function SettingsSummary({ page }: { page: PageAnswer }) {
  const set = allFields.flatMap((field) => {
    const text = textOf(valueIn(page, field), field)
    // What a watched page has by default is no news.
    return text === '' || field.name === 'noiseCheck' ? [] : [{ field, text }]
  })
  const headers = Object.keys(page.settings.headers ?? {})
  return (
    <Panel title="Settings">
      {set.length === 0 && headers.length === 0 ? (
        <p>As for all pages: all of its text is compared.</p>
      ) : (
        <dl class="facts">
          {set.map(({ field, text }) => (
            <Fact key={field.name} name={field.label} text={text} />
          ))}
          {headers.length === 0 ? null : <Fact name="Headers" text={headers.join(', ')} />}
        </dl>
      )}
      <div class="row turn">
        <a class="button" href={linkTo(['pages', page.id, 'settings'])}>
          Change settings
        </a>
        <a class="button" href={linkTo(['pages', page.id, 'choose'])}>
          Choose a part
        </a>
      </div>
    </Panel>
  )
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd class="mono">
        {text.split('\n').map((line) => (
          <div key={line}>
            <OutsideText text={line} />
          </div>
        ))}
      </dd>
    </>
  )
}
