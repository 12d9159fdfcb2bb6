import { type LineChart, lineChart, type PaperFigure } from 'revisit/report'

/** A figure of lines and dots, drawn for a wide window and for a phone. */
export function lineFigure({
  file,
  caption,
  ...chart
}: { readonly file: string; readonly caption: string } & Omit<
  LineChart,
  'description'
>): PaperFigure {
  const data = { ...chart, description: caption }
  const narrow = { narrowSvg: lineChart(data, { width: 350 }) }
  return { file, title: chart.title, caption, svg: lineChart(data), ...narrow }
}

/** An axis of lengths of watching, in thousands: labels that fit a phone, and room for the last. */
export function windowAxis(windows: readonly number[]) {
  const title = 'Length of watching T (thousand time units)'
  const domain = [windows[0]! / 1300, (windows.at(-1)! * 1.8) / 1000] as const
  return { title, scale: 'log', domain } as const
}

/** A point for such an axis. */
export function inThousands<Point extends { readonly x: number }>(point: Point): Point {
  return { ...point, x: point.x / 1000 }
}
