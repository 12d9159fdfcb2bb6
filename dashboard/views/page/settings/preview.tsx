import { useState } from 'preact/hooks'
import type { Json } from '../../../../src/model/units.js'
import type { Answers } from '../../../../src/server/answers.js'
import { request } from '../../../api/request.js'
import { useAct } from '../../../app/use-act.js'
import { OutsideText } from '../../../parts/outside-text.js'
import { Refused } from '../../../parts/states.js'
import { sentence } from '../../../parts/words.js'

/** Fetches the page now and shows the text that will be compared, by the rules in the form, saved or not. */
export function Preview({ url, settings }: { url: string; settings: () => Json }) {
  const [seen, setSeen] = useState<Answers['POST preview']>()
  const { act, busy, error } = useAct()
  return (
    <section class="panel" aria-label="Preview">
      <div class="row">
        <button
          type="button"
          disabled={busy}
          onClick={() =>
            act(async () =>
              setSeen(await request('POST preview', { body: { url, reading: settings() } })),
            )
          }
        >
          {busy ? 'Fetching the page …' : 'Preview: fetch it now'}
        </button>
        <span class="muted small">One request, by the same rules of politeness as a visit.</span>
      </div>
      <Refused error={error} />
      {seen === undefined ? null : (
        <div role="status">
          {seen.text === null ? (
            <p class="alert">
              <OutsideText text={sentence(seen.note ?? 'there is no text to compare')} />
            </p>
          ) : (
            <>
              <h3>This text will be compared</h3>
              <ComparedText text={seen.text} />
              {seen.cut ? <p class="muted small">Only its beginning is shown.</p> : null}
            </>
          )}
        </div>
      )}
    </section>
  )
}

/** A text from outside, line by line. */
export function ComparedText({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <section class="diff compared-text" tabIndex={0} aria-label="Text that is compared">
      {text.split('\n').map((line, i) => (
        <p key={i}>
          <OutsideText text={line} />
        </p>
      ))}
    </section>
  )
}
