import { expect, it } from 'vitest'
import { noticeText, testNotice } from '../../src/notify/notice.js'

it.each([
  [0.004, 'less than 1% of what is compared'],
  [0.124, '12% of what is compared'],
  [1, '100% of what is compared'],
])('a notice says of a share of %s that it is %s', (changedShare, words) => {
  const notice = {
    ...testNotice({ collection: 'news', name: 'team' }, 1_700_000_000),
    changedShare,
  }
  expect(noticeText(notice)).toContain(`seen 2023-11-14T22:13:20Z, ${words}\n`)
})
