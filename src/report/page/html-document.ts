import { escaped } from '../frame/shown-text.js'
import { pageStyle } from './page-style.js'

/**
 * One HTML file that needs nothing else: its style is inside, it has no script,
 * and its policy forbids the browser to ask anybody for anything.
 */
export function htmlDocument({
  title,
  body,
}: {
  readonly title: string
  readonly body: string
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
${body}
</body>
</html>
`
}
