import { isUtf8 } from 'node:buffer'
import { refusal } from '../refusal.js'
import type { ByteSlice } from './byte-slice.js'

/** Whether the bytes are UTF-8, so that a URL is shown as it is written. */
export function isText({ bytes, start, end }: ByteSlice): boolean {
  return isUtf8(bytes.subarray(start, end))
}

export const notText = refusal('bad-text', () => 'the url is not UTF-8')
