/** What an element does to the text in it: nothing, begin and end a line, hide it, or name the page. */
export type Part = 'inline' | 'block' | 'unseen' | 'title'

/** Elements whose content no reader sees. */
const unseen = 'script style template noscript iframe noembed noframes'
/** Elements that begin and end a line, as all do that are not named here. */
const block =
  'body br dd div dl dt footer form h1 h2 h3 h4 h5 h6 head header hr html img input li link main meta nav ol option p path pre section select svg table tbody td th thead tr ul'
/** Elements that stand in a line. */
const inline =
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'

const parts = new Map<string, Part>([
  ...unseen.split(' ').map((name) => [name, 'unseen'] as const),
  ...inline.split(' ').map((name) => [name, 'inline'] as const),
  ...block.split(' ').map((name) => [name, 'block'] as const),
  ['title', 'title'],
])

/** The part of an element by its name in lower case; undefined for one not named here, a block. */
export function partOf(name: string): Part | undefined {
  return parts.get(name)
}
