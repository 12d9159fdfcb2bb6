import { expect, it } from 'vitest'
import { TurnEnd } from '../../src/fetch/http-request.js'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

it('takes up what came in one turn together, in its order, once', async () => {
  const taken: number[] = []
  const turn = new TurnEnd<number>((item) => taken.push(item))
  turn.add(1)
  await Promise.resolve()
  turn.add(2)
  expect(taken).toEqual([])
  await nextTurn()
  expect(taken).toEqual([1, 2])
  turn.add(3)
  await nextTurn()
  expect(taken).toEqual([1, 2, 3])
})

it('leaves what comes of taking to the next turn', async () => {
  const taken: string[] = []
  const turn: TurnEnd<string> = new TurnEnd((item) => {
    taken.push(item)
    if (item.length < 3) turn.add(`${item}.`)
  })
  turn.add('a')
  turn.add('b')
  await nextTurn()
  expect(taken).toEqual(['a', 'b'])
  await nextTurn()
  await nextTurn()
  expect(taken).toEqual(['a', 'b', 'a.', 'b.', 'a..', 'b..'])
})
