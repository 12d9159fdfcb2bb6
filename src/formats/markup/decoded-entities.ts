import { Tokenizer } from 'htmlparser2'

let decoded = ''
let piece = ''
const take = (start: number, end: number) => {
  decoded += piece.slice(start, end)
}
const takeCode = (code: number) => {
  decoded += String.fromCodePoint(code)
}
const nothing = () => {}
const tokenizer = new Tokenizer(
  { xmlMode: false, decodeEntities: true },
  {
    ontext: take,
    ontextentity: takeCode,
    onattribdata: take,
    onattribentity: takeCode,
    onopentagname: nothing,
    onattribname: nothing,
    onattribend: nothing,
    onopentagend: nothing,
    onselfclosingtag: nothing,
    onclosetag: nothing,
    oncdata: nothing,
    oncomment: nothing,
    ondeclaration: nothing,
    onprocessinginstruction: nothing,
    onend: nothing,
  },
)

/** Text of a page with its entities decoded; markup in it is left as it is. O(n). */
export function decodedText(text: string): string {
  if (!text.includes('&')) return text
  return text
    .split('<')
    .map((part) => (part.includes('&') ? tokenized(part) : part))
    .join('<')
}

/** The value of an attribute decoded: `&copy=1` in an address stays. HTML Standard, 13.2.5.73. */
export function decodedAttribute(value: string): string {
  if (!value.includes('&')) return value
  return tokenized(`<a b="${value.replaceAll('"', '&quot;')}">`)
}

/** By htmlparser2's own tokenizer, which is kept: making one costs more than most texts. */
function tokenized(text: string): string {
  decoded = ''
  piece = text
  tokenizer.reset()
  tokenizer.write(text)
  tokenizer.end()
  return decoded
}
