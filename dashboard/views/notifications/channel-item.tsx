import { useState } from 'preact/hooks'
import { humanDuration } from '../../../src/model/duration.js'
import type { ChannelAnswer } from '../../../src/server/events/channels.js'
import { apiError } from '../../api/api-error.js'
import { request } from '../../api/request.js'
import { useService } from '../../app/service.js'
import { OutsideText } from '../../parts/outside-text.js'
import { plural } from '../../parts/words.js'
import { ChannelForm } from './channel-form.js'
import { conditionWords, targetWords, timingWords } from './channel-words.js'

/** One channel, how it does, and what can be done to it. */
export function ChannelItem({ channel, reload }: { channel: ChannelAnswer; reload: () => void }) {
  const { now } = useService()
  const [message, setMessage] = useState('')
  const [changing, setChanging] = useState(false)
  const { name, enabled, pending, failures, restsUntil, error } = channel
  const params = { id: channel.id }
  const act = async (work: () => Promise<string>) => {
    try {
      setMessage(await work())
      reload()
    } catch (thrown) {
      setMessage(apiError(thrown).message)
    }
  }
  const test = async () => {
    setMessage('Sending …')
    const answer = await request('POST channels/:id/test', { params, body: {} })
    return answer.sent ? 'The test was sent.' : `Not sent: ${answer.error ?? 'no reason'}`
  }
  const change = async (body: unknown) => {
    await request('PATCH channels/:id', { params, body })
    return ''
  }
  return (
    <section class="panel half">
      <h2>
        <OutsideText text={name} />
        {enabled ? null : <span class="muted"> (off)</span>}
      </h2>
      <p>
        <OutsideText text={targetWords(channel)} />
      </p>
      <p class="muted">
        Tells of pages that are <OutsideText text={conditionWords(channel.when)} />.{' '}
        {timingWords(channel)}
      </p>
      <p>
        {plural(pending, 'notice')} waiting
        {failures === 0 ? '' : `, failed ${plural(failures, 'time')} in a row`}
        {restsUntil === null || restsUntil <= now()
          ? ''
          : `, rests for ${humanDuration(restsUntil - now())}`}
        .
      </p>
      {error === null ? null : (
        <p class="alert">
          <OutsideText text={error} />
        </p>
      )}
      <div class="row">
        <button type="button" onClick={() => act(test)}>
          Send a test
        </button>
        {channel.target.kind === 'command' ? null : (
          <button
            type="button"
            aria-expanded={changing}
            onClick={() => setChanging((before) => !before)}
          >
            Change …
          </button>
        )}
        <button type="button" onClick={() => act(() => change({ enabled: !enabled }))}>
          {enabled ? 'Turn off' : 'Turn on'}
        </button>
        <button
          type="button"
          onClick={() => {
            if (confirm('Remove this channel, and forget its deliveries?'))
              act(() => request('DELETE channels/:id', { params }).then(() => ''))
          }}
        >
          Remove …
        </button>
        <span role="status">
          <OutsideText text={message} />
        </span>
      </div>
      {changing ? (
        <ChannelForm
          channel={channel}
          onDone={() => {
            setChanging(false)
            setMessage('Saved.')
            reload()
          }}
        />
      ) : null}
    </section>
  )
}
