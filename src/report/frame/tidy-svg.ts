const places = new Set(
  'd transform x y x1 x2 y1 y2 cx cy r width height points stroke-width fill-opacity'.split(' '),
)

/**
 * Plot's SVG made small and the same everywhere: coordinates to a hundredth of
 * a pixel (libraries of mathematics differ in the last digit), no labels on
 * groups (the figure as a whole has one), no style of its own. The drawing is a
 * group of the figure, not an image inside it.
 */
export function tidySvg(svg: string): string {
  return svg
    .replace(/<style>[^<]*<\/style>/g, '')
    .replace(/^<svg [^<>]*>/, '<g text-anchor="middle" fill="currentColor">')
    .replace(/<\/svg>$/, '</g>')
    .replace(/<[a-z][^<>]*>/gi, (tag) =>
      tag.replace(/ ([a-z0-9-]+)="([^"]*)"/gi, (_, name: string, value: string) =>
        name.startsWith('aria-') ? '' : ` ${name}="${places.has(name) ? rounded(value) : value}"`,
      ),
    )
}

function rounded(value: string): string {
  return value.replace(/-?\d*\.\d+(e[-+]?\d+)?|-?\d+e[-+]?\d+/gi, (number) =>
    String(Number(Number(number).toFixed(2)) + 0),
  )
}
