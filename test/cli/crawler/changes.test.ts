import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { WARCParser } from 'warcio'
import { type CrawledSite, crawledSite } from '../../fixtures/crawled-site.js'

const page = (text: string, etag?: string) => ({
  body: `<title>News</title><p>The weather</p><p>${text}</p><p>The end</p>`,
  ...(etag === undefined ? {} : { headers: { etag } }),
})

/** First, changed, then twice unchanged: by 304 at /a, by the same text at /b. */
async function fourVisits(): Promise<CrawledSite> {
  const site = await crawledSite({ '/a': page('rain today', '"1"'), '/b': page('rain today') })
  await site.revisit(['watch', `${site.base}/a`, `${site.base}/b`])
  const again = async () => {
    await site.makeDue()
    await site.revisit(['run', '--once'])
  }
  await again()
  site.pages['/a'] = page('sun \u001b[2J today', '"2"')
  site.pages['/b'] = page('sun today')
  await again()
  await again()
  site.pages['/b'] = { body: `${page('sun today').body}<script>1</script>` }
  await again()
  return site
}

describe('a page that was visited four times', () => {
  it('is shown, listed, compared, exported and archived', async () => {
    const { base, folder, revisit } = await fourVisits()
    const shown = JSON.parse(
      (await revisit(['show', `${base}/a`, '-m', 'irregular-mle', '--json'])).out,
    )
    expect(shown).toMatchObject({
      visits: 4,
      changes: 1,
      versions: 2,
      estimate: { evidence: { observations: 3, changes: 1 }, verdict: 'ok' },
    })
    const list = await revisit(['list', '--contains', '/a'])
    expect(list.out).toMatch(/\/a +4 +1 +every .* unchanged, .*\n\n1 page\n$/)

    const history = await revisit(['history', `${base}/a`])
    const outcomes = [...history.out.matchAll(/Z {2}(\w+) +(\d+)/g)].map((m) => `${m[1]} ${m[2]}`)
    expect(outcomes).toEqual(['first 200', 'changed 200', 'unchanged 304', 'unchanged 304'])
    expect(
      JSON.parse((await revisit(['history', `${base}/a`, '--last', '1', '--json'])).out),
    ).toEqual([expect.objectContaining({ outcome: 'unchanged', status: 304, fingerprint: null })])

    // What a page holds must not reach the terminal as it is.
    const diff = await revisit(['diff', `${base}/a`])
    const compared = ['  The weather', '- rain today', '+ sun \\u001b[2J today', '  The end', '']
    expect(diff.out.split('\n').slice(3)).toEqual(compared)
    // Titles are not compared.
    const whole = await revisit(['diff', `${base}/a`, '--whole'])
    expect(whole.out.split('\n').slice(3)).toEqual(['  News', ...compared])
    const words = await revisit(['diff', `${base}/b`, '1', '2', '--words'])
    expect(words.out).toContain('[-rain-]{+sun+} today\n')
    expect((await revisit(['diff', `${base}/b`, '7'])).err).toMatch(/there are 1 to 2/)

    // The log that is exported gives the estimate that is shown.
    const log = join(folder, 'visits.csv')
    expect((await revisit(['export', log])).err).toBe('8 visits written\n')
    const estimates = JSON.parse((await revisit(['estimate', log, '--json'])).out)
    const ours = estimates.find((each: { url: string }) => each.url === `${base}/a`)
    expect(ours.changeRate / shown.estimate.changeRate).toBeCloseTo(1, 4)
    expect(ours.evidence.changes).toBe(1)
    const lines = (await revisit(['export', '--format', 'jsonl'])).out.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).changed).sort()).toEqual(
      ['changed', 'changed', 'first', 'first', ...Array(4).fill('unchanged')].sort(),
    )

    const [plain, packed] = [join(folder, 'pages.warc'), join(folder, 'pages.warc.gz')]
    for (const archive of [plain, packed]) {
      expect((await revisit(['export', archive])).err).toBe('8 records written\n')
      expect(await recordsOf(archive)).toEqual({
        warcinfo: 1,
        response: 4,
        'revisit server-not-modified': 2,
        'revisit urn:revisit:warc-profile:same-visible-text': 2,
      })
    }
    expect(readFileSync(plain).toString('latin1', 0, 10)).toBe('WARC/1.1\r\n')
    expect([...readFileSync(packed).subarray(0, 2)]).toEqual([0x1f, 0x8b])
    expect(membersOf(readFileSync(packed))).toBe(9)

    const copies = join(folder, 'copies')
    expect((await revisit(['export', copies, '--format', 'folder'])).err).toMatch(
      /^2 copies written/,
    )
    const host = new URL(base).host.replace(':', '_')
    expect(readFileSync(join(copies, host, 'b.html'), 'utf8')).toBe(page('sun today').body)
    expect(readFileSync(join(copies, 'index.html'), 'utf8')).toContain(
      `<a href="${host}/b.html">News</a></td><td>${base}/b</td>`,
    )
  })

  it('is forgotten with its visits, or only visited no more', async () => {
    const { base, revisit } = await crawledSite({ '/a': page('x'), '/b': page('y') })
    await revisit(['watch', `${base}/a`, `${base}/b`, `${base}/c`])
    await revisit(['run', '--once'])
    expect((await revisit(['unwatch', `${base}/a`])).out).toBe('1 page with 1 visit forgotten\n')
    expect((await revisit(['show', `${base}/a`])).code).toBe(2)
    await revisit(['unwatch', `${base}/b`, '--keep'])
    const kept = JSON.parse((await revisit(['show', `${base}/b`, '--json'])).out)
    expect(kept).toMatchObject({ visits: 1, due: { at: 'never' } })
    const many = await revisit(['unwatch', '--all'])
    expect(many).toMatchObject({ code: 2, out: '' })
    expect(many.err).toMatch(/forgets 2 pages with 2 visits.*--yes/)
    expect((await revisit(['unwatch', '--outcome', 'gone', '--yes'])).out).toMatch(/^1 page with/)
    expect((await revisit(['unwatch'])).err).toMatch(/name addresses, or choose pages/)
    expect((await revisit(['list', '--json'])).out.match(/"url"/g)).toHaveLength(1)
  })

  it('comes back from a backup', async () => {
    const { base, folder, revisit } = await crawledSite({ '/a': page('x') })
    await revisit(['watch', `${base}/a`])
    await revisit(['run', '--once'])
    const copy = join(folder, 'copy.db')
    expect((await revisit(['backup', copy])).out).toMatch(/^1 page and 1 visit copied/)
    expect((await revisit(['check'])).out).toMatch(/^in order: 1 page, 1 visit, 1 copy in /)
    await revisit(['unwatch', `${base}/a`])
    expect((await revisit(['restore', copy])).err).toMatch(/--replace puts the backup in its place/)
    expect((await revisit(['restore', copy, '--replace'])).code).toBe(0)
    expect((await revisit(['show', `${base}/a`])).code).toBe(0)
    expect((await revisit(['restore', join(folder, 'none.db'), '--replace'])).code).toBe(3)
  })
})

/** Members of gzip: each is unpacked alone, and tells where the next one begins. */
function membersOf(bytes: Uint8Array): number {
  let [members, at] = [0, 0]
  for (; at < bytes.length; members++) {
    const member = inflateRawSync(bytes.subarray(at + 10), { info: true }) as unknown as {
      engine: { bytesWritten: number }
    }
    // A head of 10 bytes without a name, and 8 of check and length. RFC 1952.
    at += 10 + member.engine.bytesWritten + 8
  }
  return members
}

/** How many records of each kind warcio finds, which checks their lengths on the way. */
async function recordsOf(path: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const bytes = readFileSync(path)
  for await (const record of new WARCParser(Readable.toWeb(Readable.from([bytes])) as never)) {
    const profile = record.warcHeaders.headers.get('WARC-Profile')?.split('/').at(-1)
    const name = profile === undefined ? record.warcType! : `${record.warcType} ${profile}`
    counts[name] = (counts[name] ?? 0) + 1
    const body = await record.readFully(true)
    if (record.warcType === 'revisit') expect(record.warcRefersToDate).toMatch(/^\d{4}-.*Z$/)
    if (record.warcType === 'response') expect(body.length).toBeGreaterThan(20)
  }
  return counts
}

describe('revisit import', () => {
  const T = 1_700_000_000
  const hour = 3600
  // A change every third hour of 30.
  const rows = Array.from(
    { length: 30 },
    (_, i) => `https://e.org/p,${T + i * hour},${i % 3 === 0}`,
  )

  it('records the visits of a log as if they had been made here', async () => {
    const { folder, revisit } = await crawledSite()
    const log = join(folder, 'log.csv')
    writeFileSync(log, ['url,at,changed', ...rows.toReversed(), `nowhere,${T},true`].join('\n'))
    const first = await revisit(['import', log])
    expect(first).toMatchObject({ code: 0, out: '30 visits of 1 page (1 new); 1 line skipped\n' })
    expect(first.err).toMatch(/^line 32: .*nowhere is no address/)
    const shown = JSON.parse(
      (await revisit(['show', 'https://e.org/p', '-m', 'irregular-mle', '--json'])).out,
    )
    const forward = ['url,at,changed', ...rows].join('\n')
    writeFileSync(log, forward)
    const [expected] = JSON.parse((await revisit(['estimate', log, '--json'])).out)
    expect({ url: 'https://e.org/p', ...shown.estimate }).toEqual(expected)
    expect((await revisit(['import', log])).out).toMatch(/^0 visits .*30 left out/)
    expect((await revisit(['check'])).code).toBe(0)
  })

  it('tells outcomes by digest, and keeps what it learned when a page is then visited', async () => {
    const { base, folder, revisit } = await crawledSite({ '/p': page('x') })
    const log = join(folder, 'log.jsonl')
    const digests = ['a', 'a', 'b', '', 'b', 'c', 'c', 'c']
    const lines = digests.map((digest, i) =>
      JSON.stringify({ url: `${base}/p`, at: T + i * hour, digest }),
    )
    writeFileSync(log, lines.join('\n'))
    expect((await revisit(['import', log, '--json'])).out).toContain('"visits":8')
    const before = JSON.parse((await revisit(['history', `${base}/p`, '--json'])).out)
    expect(before.map((each: { outcome: string }) => each.outcome)).toEqual(
      'first unchanged changed failed unchanged changed unchanged unchanged'.split(' '),
    )
    const [imported] = JSON.parse((await revisit(['list', '--json'])).out)
    await revisit(['run', '--once'])
    const [listed] = JSON.parse((await revisit(['list', '--json'])).out)
    expect(listed.lastVisit.outcome).toBe('first')
    expect(listed.changePeriod).toBe(imported.changePeriod)
    // By hand: about 7 hours sampled and 2 changes seen.
    expect(listed.changePeriod).toBeGreaterThan(2 * hour)
    expect(listed.changePeriod).toBeLessThan(7 * hour)
  })
})
