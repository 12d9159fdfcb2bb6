import type { Attribute, Token } from './tokens.js'

/** The attribute of this name: the first, as browsers have it. */
export function attributeOf(token: Token, name: string): Attribute | undefined {
  return token.attributes.find((each) => each.name === name)
}

/**
 * The value of an attribute with its numeric character references read;
 * undefined where the tag has none of this name. Named references are left as
 * they are: none is needed to write a name or a content.
 */
export function attributeValue(
  text: string,
  { token, name }: { readonly token: Token; readonly name: string },
): string | undefined {
  const attribute = attributeOf(token, name)
  if (attribute === undefined) return undefined
  return text
    .slice(attribute.start, attribute.end)
    .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) =>
      characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}
