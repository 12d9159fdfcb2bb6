/** For headers that were set before they were refused, or written into the store by others. */
const otherHeaders =
  'watch it again with --header and only the headers to keep, or set its headers to null over the API'

/** By fault, where a person can mend it. */
const advice: Readonly<Record<string, string>> = {
  'address-refused':
    'it leads to this machine or a private network; set allowed-networks, such as 127.0.0.0/8, to allow it',
  'bad-header': otherHeaders,
  'no-contact': 'public hosts are not asked without it; set contact to an e-mail or web address',
  'no-browser': 'run npm install playwright && npx playwright install chromium',
  'nothing-selected':
    'nothing on the page matches the selectors of its reading; watch it again with another --select, or with --read-plainly',
  'reserved-header': otherHeaders,
  'rule-too-slow':
    'watch it again with simpler --select, --ignore, --ignore-text, --ignore-lines or --ignore-paths',
  'too-large': 'raise body-bytes to take it',
}

/** What a person can do so that visits no longer fail for this; null where it is not theirs to mend. */
export function faultAdvice(fault: string): string | null {
  return advice[fault] ?? null
}
