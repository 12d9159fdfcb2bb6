import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../../src/model/errors.js'
import { annotateHtml, withoutTag, writtenTag } from '../../src/publish/annotate-html.js'
import { hostilePages, hostilePieces } from './hostile-pages.js'

const tag = '<meta name="Change-Frequency" content="PERIODIC=7">'
const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
const shown = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

function annotated(page: string, content = 'PERIODIC=7'): string {
  const found = annotateHtml(latin1(page), content)
  return found.outcome === 'refused' ? `refused: ${found.reason}` : shown(found.bytes)
}

describe('a page without a tag', () => {
  // Each by hand: where a browser would have it in the head. | is the place.
  it.each([
    ['<html><head>|<title>a</title></head><body>'],
    ['<!DOCTYPE html>\r\n<html lang=en>\r\n<HEAD\tid="x">|\r\n<title>a</title>'],
    ['<head><meta charset="utf-8">|<title>a</title>'],
    ['<head><meta http-equiv=Content-Type content="text/html">|<title>a</title>'],
    ['<head>|<title><meta charset=utf-8></title>'],
    ['<!doctype html>|<title>a</title>text'],
    ['<!doctype html>|text'],
    ['|<title>a</title>'],
    ['<html>|<body>'],
    ['<!-- <html><head> --><!doctype html><!-- <head> --><html>|<title>a</title>'],
    ['<!--><html><head>|'],
    ['<!-- a --!><html><head>|'],
    ['<?php x ?><html><head>|<title>'],
    ['<html title="<head>"><head data-x=\'>\'>|<script>"<head>"</script>'],
    ['\u00ef\u00bb\u00bf<html><head>|'],
    ['\u00ef\u00bb\u00bf|<title>a</title>'],
    ['<html><head>|<title>unclosed <meta name="Change-Frequency" content=STATIC>'],
  ])('%s', (marked) => {
    const page = marked.replace('|', '')
    expect(annotated(page)).toBe(marked.replace('|', tag))
  })

  it('in XHTML gets one that is closed', () => {
    const closed = tag.replace('>', ' />')
    expect(annotated('<?xml version="1.0"?>\n<html xmlns="x"><head><title/></head>')).toBe(
      `<?xml version="1.0"?>\n<html xmlns="x"><head>${closed}<title/></head>`,
    )
    const doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "a">'
    expect(annotated(`${doctype}<html><head>`)).toBe(`${doctype}<html><head>${closed}`)
    const cdata =
      '<?xml version="1.0"?><html><head><script><![CDATA[ </script> ]]></script><meta name="change-frequency" content="a"/></head>'
    expect(annotated(cdata)).toBe(cdata.replace('"a"', '"PERIODIC=7"'))
    const subset = '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "b">]><html><head>'
    expect(annotated(subset)).toBe(subset + closed)
  })

  it('that is a piece of one is left alone', () => {
    // A CDATA section in HTML is a comment up to the first `>`; its rest is text, which ends the head.
    for (const piece of [
      '',
      '<![CDATA[<head>]]><html>',
      '<p>hello',
      'text',
      '<div><head></div>',
      '<!-- <html> --><li>a',
    ])
      expect(annotated(piece)).toBe('refused: fragment')
    const taken = annotateHtml(latin1('<p>a'), 'STATIC', { fragments: true })
    expect(taken).toMatchObject({ outcome: 'inserted' })
  })

  it('in an encoding without ASCII is left alone', () => {
    const refused = { outcome: 'refused', reason: 'encoding' }
    const page = '<html><head><title>a</title>'
    const wide = Uint8Array.from(Buffer.from(page, 'utf16le'))
    expect(annotateHtml(wide, 'STATIC')).toEqual(refused)
    expect(annotateHtml(Uint8Array.from([0xff, 0xfe, ...wide]), 'STATIC')).toEqual(refused)
    expect(annotateHtml(Uint8Array.from([0xfe, 0xff, 0, 60]), 'STATIC')).toEqual(refused)
    expect(annotateHtml(latin1(`${page}\u001b$B<head>`), 'STATIC')).toEqual(refused)
    const contentType = 'text/html; charset=iso-2022-jp'
    expect(annotateHtml(latin1(page), 'STATIC', { contentType })).toEqual(refused)
  })

  it('keeps every byte of any other encoding', () => {
    // Shift_JIS, whose second bytes may be letters and brackets; windows-1252; bytes that are no text.
    for (const bytes of [
      [0x83, 0x5c, 0x83, 0x7c],
      [0xe9, 0x80],
      [0xff, 0xfe, 0xc0],
    ]) {
      const page = Uint8Array.from([...latin1('<head><title>'), ...bytes, ...latin1('</title>')])
      const found = annotateHtml(page, 'STATIC')
      if (found.outcome === 'refused') throw new Error(found.reason)
      expect(withoutTag(found.bytes)).toEqual(page)
    }
  })
})

describe('a page with a tag', () => {
  // By hand: only the content changes, in the quotes it had.
  it.each([
    [
      '<META NAME="Change-Frequency" CONTENT="STATIC">',
      '<META NAME="Change-Frequency" CONTENT="PERIODIC=7">',
    ],
    [
      "<meta name='change-frequency' content='nonuniform=3'>",
      "<meta name='change-frequency' content='PERIODIC=7'>",
    ],
    [
      '<meta content=STATIC name=CHANGE-FREQUENCY>',
      '<meta content="PERIODIC=7" name=CHANGE-FREQUENCY>',
    ],
    [
      '<meta\n name = " Change-Frequency "\n content = "" data-a="b" />',
      '<meta\n name = " Change-Frequency "\n content = "PERIODIC=7" data-a="b" />',
    ],
    [
      '<meta name="Change&#45;Frequency" content="STATIC">',
      '<meta name="Change&#45;Frequency" content="PERIODIC=7">',
    ],
    ['<meta name="Change-Frequency">', tag],
    ['<meta name="Change-Frequency" content>', tag],
    ['<meta name="Change-Frequency" content= >', tag],
    [
      '<meta name="Change-Frequency" content="STATIC" content="PERIODIC=1">',
      '<meta name="Change-Frequency" content="PERIODIC=7" content="PERIODIC=1">',
    ],
    [tag, tag],
  ])('%s', (before, after) => {
    const page = (each: string) => `<html>\r\n<head>\r\n<title>a</title>${each}\r\n</head>\r\n`
    expect(annotated(page(before))).toBe(page(after))
  })

  it('and further ones keeps the first', () => {
    const page = `<head>${tag}<title>a</title><meta name=change-frequency content=STATIC></head> ${tag} <body>`
    expect(annotated(page, 'STATIC')).toBe(
      '<head><meta name="Change-Frequency" content="STATIC"><title>a</title></head>  <body>',
    )
  })

  it('tells what is written', () => {
    expect(writtenTag(latin1(`<head>${tag}`))).toBe('PERIODIC=7')
    expect(writtenTag(latin1('<head><meta name=change-frequency>'))).toBeNull()
    expect(writtenTag(latin1(`<head><!--${tag}--><body>${tag}`))).toBeNull()
  })

  // What looks like a tag and is none: a new one comes before it.
  it.each([
    `<!-- ${tag} -->`,
    `<script>"${tag}"</script>`,
    `<script><!-- <script> </script> ${tag} --></script>`,
    `<style>${tag}</style>`,
    `<title>${tag}</title>`,
    `<noscript>${tag}</noscript>`,
    `<template><template></template>${tag}</template>`,
    `<link title='${tag}'>`,
    `<meta title="unclosed ${tag}`,
    `<body>${tag}`,
    `text ${tag}`,
    '<meta name="Change-Frequency-2" content="STATIC">',
    '<meta name="x" name="Change-Frequency" content="STATIC">',
    '<metadata name="Change-Frequency" content="STATIC">',
  ])('is not one with %s', (fake) => {
    expect(annotated(`<head>${fake}`, 'STATIC')).toBe(
      `<head><meta name="Change-Frequency" content="STATIC">${fake}`,
    )
  })
})

describe('any page', () => {
  const content = fc.constantFrom('STATIC', 'PERIODIC=1', 'nonuniform=30', 'nonuniform')
  const page = fc.oneof(
    fc.array(fc.constantFrom(...hostilePieces), { maxLength: 12 }).map((each) => each.join('')),
    fc.constantFrom(...hostilePages),
    fc.string({ maxLength: 60 }).map((each) => `<html><head>${each}`),
  )
  const options = { seed: 11, numRuns: 1000 }

  it('is the same after the second time, and says what it was told', () => {
    fc.assert(
      fc.property(page, content, content, (text, first, second) => {
        const once = annotateHtml(latin1(text), first, { fragments: true })
        if (once.outcome === 'refused') return expect(once.reason).toBe('encoding')
        expect(writtenTag(once.bytes)).toBe(first)
        const twice = annotateHtml(once.bytes, first)
        expect(twice.outcome).toBe('unchanged')
        const other = annotateHtml(once.bytes, second)
        const back = other.outcome === 'refused' ? null : annotateHtml(other.bytes, first)
        expect(back?.outcome === 'refused' ? null : back?.bytes).toEqual(once.bytes)
      }),
      options,
    )
  })

  it('loses no byte but tags', () => {
    fc.assert(
      fc.property(page, content, (text, each) => {
        const made = annotateHtml(latin1(text), each, { fragments: true })
        if (made.outcome === 'inserted') expect(withoutTag(made.bytes)).toEqual(latin1(text))
        if (made.outcome === 'replaced')
          expect(withoutTag(made.bytes)).toEqual(withoutTag(latin1(text)))
      }),
      options,
    )
  })

  it('of any bytes is no surprise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const made = annotateHtml(bytes, 'STATIC', { fragments: true })
        if (made.outcome === 'inserted') expect(withoutTag(made.bytes)).toEqual(bytes)
      }),
      options,
    )
  })

  it('gets no content that would break out of it', () => {
    expect(() => annotateHtml(latin1('<head>'), '"><script>')).toThrow(OptionError)
  })
})
