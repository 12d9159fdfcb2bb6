/** /api/pages/{id}/rule: from a line of a difference to a rule, with what it would have done. */

import { Type } from 'typebox'
import type { KeptContent } from '../../content/bounded/version-diffs.js'
import type { ReadingRules } from '../../content/reading-rules.js'
import { type FoundRule, lineExpression, ruleFromLine } from '../../content/rule-from-line.js'
import { charsetOf } from '../../formats/charset.js'
import type { Json } from '../../model/units.js'
import { ApiError } from '../errors.js'
import { type Answer, AnyJson, exactly, oneOf, refusals } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { PageParams } from './page-schema.js'
import { foundPage } from './page-view.js'
import { lastContents, TrialAnswer, trial } from './rule-trial.js'

const RuleBody = exactly({
  line: Type.String({ minLength: 1, maxLength: 5000, description: 'a line of the difference' }),
  action: oneOf(['ignore', 'watch'], {
    description: 'leave out the part it stands in, or compare that part alone',
  }),
})

export const RuleAnswer = Type.Object({
  rule: Type.Object({
    kind: oneOf(['selector', 'lines']),
    value: Type.String({ description: 'a CSS selector, or an expression for lines' }),
  }),
  reading: Type.Unsafe<Json>({
    ...AnyJson,
    description: 'the rules of the page with it, to be sent as settings.reading',
  }),
  lines: Type.String({ description: 'an expression for lines like it, in any case' }),
  trial: TrialAnswer,
})

/** The rules of a page with one more. */
function withRule(
  reading: ReadingRules,
  rule: FoundRule,
  action: 'ignore' | 'watch',
): ReadingRules {
  if (rule.kind === 'lines')
    return { ...reading, ignoreLines: [...(reading.ignoreLines ?? []), rule.expression] }
  if (action === 'watch') return { ...reading, select: [rule.selector] }
  return { ...reading, ignore: [...(reading.ignore ?? []), rule.selector] }
}

export function ruleRoutes(app: App, parts: ServiceParts): void {
  app.post(
    '/api/pages/:id/rule',
    {
      schema: {
        operationId: 'ruleFromLine',
        summary:
          'A rule from a line of a difference, and what it would have done; nothing is saved',
        tags: ['contents'],
        params: PageParams,
        body: RuleBody,
        response: { 200: RuleAnswer, ...refusals },
      },
    },
    async ({ params, body: { line, action } }): Promise<Answer<typeof RuleAnswer>> => {
      const page = await foundPage(params.id, parts)
      const kept = await lastContents(page, parts)
      const htmls = kept.flatMap((each) => htmlOf(each) ?? [])
      // A line that went stands in an earlier content.
      const from = htmls.findLastIndex((html) => bare(html).includes(bare(line)))
      const html = htmls[from < 0 ? htmls.length - 1 : from] ?? null
      const found = ruleFromLine(line, { html, earlier: htmls.filter((each) => each !== html) })
      if (action === 'watch' && found.kind === 'lines')
        throw new ApiError(
          409,
          'no-part',
          'no part of the page around this line can be told from the others; choose a selector by hand',
        )
      const before = (page.settings.reading ?? {}) as ReadingRules
      const changed = withRule(before, found, action)
      const reading = changed as unknown as Json
      return {
        rule: {
          kind: found.kind,
          value: found.kind === 'selector' ? found.selector : found.expression,
        },
        lines: lineExpression(line),
        reading,
        trial: await trial(page, { contents: kept, reading, parts }),
      }
    },
  )
}

function htmlOf({ version, body }: KeptContent): string | null {
  const type = version.mediaType ?? 'text/html'
  return /html/i.test(type) ? new TextDecoder(charsetOf(body, type)).decode(body) : null
}

/** The words of a page or line, whatever stands between them. */
function bare(text: string): string {
  return text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
