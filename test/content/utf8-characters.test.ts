import { describe, expect, it } from 'vitest'
import { mayCompose, spaceAt } from '../../src/content/visible-bytes.js'

/** Every character there is, with its bytes. */
function* characters() {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const { buffer, byteOffset, byteLength } = Buffer.from(character)
    yield { code, character, bytes: new DataView(buffer, byteOffset, byteLength) }
  }
}

describe('characters in UTF-8', () => {
  it('are white space where a regular expression says so', () => {
    const wrong: number[] = []
    for (const { code, character, bytes } of characters())
      if (spaceAt(bytes, 0) !== (/\s/.test(character) ? bytes.byteLength : 0)) wrong.push(code)
    expect(wrong).toEqual([])
  })

  it('have one form, alone and after a letter, where they are said to', () => {
    const wrong: number[] = []
    // Space, such as U+2000, is never asked for; U+1100 and U+AC00 take a vowel and an end.
    const alike = (text: string) => text.normalize('NFC') === text
    for (const { code, character, bytes } of characters())
      if (!mayCompose(bytes, 0) && spaceAt(bytes, 0) === 0)
        if (!alike(`e${character}\u1100${character}\uac00${character}`)) wrong.push(code)
    expect(wrong).toEqual([])
  })
})
