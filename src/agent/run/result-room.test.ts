import { expect, it } from '@jest/globals'
import { ResultRooms } from './result-room.ts'

it('gives one run all of the memory, and runs that hold results equal shares', () => {
  const rooms = new ResultRooms(100_000_000)
  const [first, second, third] = [rooms.open(), rooms.open(), rooms.open()]
  expect(first.bytesLeft()).toBe(100_000_000)
  first.took(10_000_000)
  expect(first.bytesLeft()).toBe(90_000_000)
  second.took(10_000_000)
  expect([first, second].map(room => room.bytesLeft())).toEqual([40_000_000, 40_000_000])
  expect(third.bytesLeft()).toBeCloseTo(33_333_333, 0)
  first.close()
  expect(second.bytesLeft()).toBe(90_000_000)
})

it('leaves every result enough for an answer, whatever is held', () => {
  const rooms = new ResultRooms(10_000_000)
  for (let run = 0; run < 100; run += 1) rooms.open().took(500_000)
  expect(rooms.open().bytesLeft()).toBe(1_000_000)
})
