import type { ChannelRecord, UnixSeconds } from '../model/index.js'
import type { Notice } from './notice.js'

/** What a test of a channel says. */
export function testNotice({ collection, name }: ChannelRecord, now: UnixSeconds): Notice {
  return {
    type: 'test',
    collection,
    page: { id: '0', url: 'https://example.org/', group: null, title: `a test of ${name}` },
    visit: { number: 0, at: now, outcome: 'changed', status: 200 },
    previous: null,
    changedShare: 0.5,
    diff: '- as it was\n+ as it is\n',
    note: null,
    appeared: [],
    disappeared: [],
    unchangedFor: null,
  }
}
