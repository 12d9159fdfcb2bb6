import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberAt, RowPacker, RowReader } from '../../src/store/flat-rows.js'

const cell = fc.record({
  number: fc.double({ noNaN: true }),
  maybe: fc.option(fc.double({ noNaN: true })),
  text: fc.string({ unit: 'binary' }),
  words: fc.option(fc.string()),
  bytes: fc.option(fc.uint8Array()),
  list: fc.option(fc.float64Array({ maxLength: 40 })),
})

describe('rows packed for the way between threads', () => {
  it('are read as they were packed, each alone and in any order, though there was little room', () => {
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 60 }), fc.nat(50), (rows, room) => {
        const packer = new RowPacker(6, { rows: room, bytes: 0, listed: 0 })
        for (const row of rows) {
          packer.begin()
          packer.text(row.words)
          packer.number(row.number)
          packer.list(row.list)
          packer.number(row.maybe)
          packer.bytes(row.bytes)
          packer.text(row.text)
          packer.end()
        }
        packer.begin()
        packer.text('a row that was never ended')
        const packed = structuredClone(packer.packed())
        expect(packed.rows).toBe(rows.length)
        for (const [index, row] of [...rows.entries()].reverse()) {
          const reader = new RowReader(packed, index)
          expect(reader.textOrNull()).toBe(row.words)
          expect(reader.number()).toBe(row.number)
          expect(reader.listOrNull()).toEqual(row.list)
          expect(reader.numberOrNull()).toBe(row.maybe)
          expect(reader.bytesOrNull()).toEqual(row.bytes)
          expect(reader.text()).toBe(row.text)
          expect(numberAt(packed, index, 1)).toBe(row.number)
        }
      }),
    )
  })
})
