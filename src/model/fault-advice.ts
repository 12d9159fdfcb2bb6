/** By fault, where a person can mend it. */
const advice: Readonly<Record<string, string>> = {
  'address-refused':
    'it leads to this machine or a private network; set allowed-networks, such as 127.0.0.0/8, to allow it',
  'no-contact': 'public hosts are not asked without it; set contact to an e-mail or web address',
  'no-browser': 'run npm install playwright && npx playwright install chromium',
  'nothing-selected':
    'nothing on the page matches the selectors of its reading; watch it again with another --select, or with --read-plainly',
  'rule-too-slow': 'watch it again with simpler --ignore-text and --ignore-lines',
  'too-large': 'raise body-bytes to take it',
}

/** What a person can do so that visits no longer fail for this; null where it is not theirs to mend. */
export function faultAdvice(fault: string): string | null {
  return advice[fault] ?? null
}
