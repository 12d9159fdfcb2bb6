/** /api/pages/{id}/rule: from a line of a difference to a rule; /trial says what it would have done. */

import { Type } from 'typebox'
import type { KeptContent } from '../../content/bounded/version-diffs.js'
import { withoutPicture } from '../../content/kept-picture.js'
import type { ReadingRules } from '../../content/reading-rules.js'
import { type FoundRule, lineExpression } from '../../content/rule-from-line.js'
import { charsetOf } from '../../formats/charset.js'
import type { PageRecord } from '../../model/page.js'
import type { Json } from '../../model/units.js'
import { ApiError } from '../errors.js'
import { type Answer, AnyJson, exactly, oneOf, refusals } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { contentOf, Digest } from './contents.js'
import { PageParams } from './page-schema.js'
import { foundPage } from './page-view.js'
import { lastContents } from './rule-trial.js'

const RuleBody = exactly({
  line: Type.String({
    maxLength: 5000,
    description: 'a line of the difference, or its beginning where it is longer; empty lines too',
  }),
  digest: Type.Optional(
    Type.Unsafe<string>({
      ...Digest,
      description:
        'digest of the version that has the line, which is looked through first; the last versions, the newest first, where left out or no longer kept',
    }),
  ),
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
    description:
      'the rules of the page with it, to be tried by /api/pages/{id}/trial and sent as settings.reading',
  }),
  lines: Type.String({ description: 'an expression for lines like it, in any case' }),
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
        summary: 'A rule from a line of a difference; nothing is saved',
        tags: ['contents'],
        params: PageParams,
        body: RuleBody,
        response: { 200: RuleAnswer, ...refusals },
      },
    },
    async ({ params, body: { line, digest, action } }): Promise<Answer<typeof RuleAnswer>> => {
      const page = await foundPage(params.id, parts)
      const contents = await searched(page, { digest, parts })
      const found = await parts.diffs.rule(
        line,
        contents.flatMap((each) => htmlOf(each) ?? []),
      )
      if (action === 'watch' && found.kind === 'lines')
        throw new ApiError(
          409,
          'no-part',
          'no part of the page around this line can be told from the others; choose a selector by hand',
        )
      const before = (page.settings.reading ?? {}) as ReadingRules
      return {
        rule: {
          kind: found.kind,
          value: found.kind === 'selector' ? found.selector : found.expression,
        },
        lines: lineExpression(line),
        reading: withRule(before, found, action) as unknown as Json,
      }
    },
  )
}

/** Contents in which a line is looked for: the version that is said to have it, and the last ones, the newest first. */
async function searched(
  page: PageRecord,
  { digest, parts }: { digest: string | undefined; parts: ServiceParts },
): Promise<readonly KeptContent[]> {
  const last = (await lastContents(page, parts)).toReversed()
  const named = digest === undefined ? null : await contentOf({ page, digest }, parts)
  if (named === null) return last
  return [named, ...last.filter(({ version }) => version.digest !== digest)]
}

function htmlOf({ version, body }: KeptContent): string | null {
  const type = version.mediaType ?? 'text/html'
  if (!/html/i.test(type)) return null
  const html = withoutPicture(body)
  return new TextDecoder(charsetOf(html, type)).decode(html)
}
