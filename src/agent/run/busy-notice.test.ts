import { expect, it } from '@jest/globals'
import { withOneBusyNotice } from './busy-notice.ts'
import type { RunEvent } from './event.ts'

const busy = (isBusy: boolean): RunEvent => ({ kind: 'model_busy', isBusy })
const other: RunEvent = { kind: 'data_question_dropped', id: 'Q1' }

function passedOn(...events: readonly RunEvent[]): readonly RunEvent[] {
  const passed: RunEvent[] = []
  const observe = withOneBusyNotice(event => passed.push(event))
  events.forEach(observe)
  return passed
}

it('passes on one notice for calls that wait at the same time, until the last goes on', () => {
  const events = [busy(true), busy(true), other, busy(false), busy(true), busy(false)]
  expect(passedOn(...events)).toEqual([busy(true), other])
  expect(passedOn(...events, busy(false))).toEqual([busy(true), other, busy(false)])
})

it('passes on no second notice in a run', () => {
  expect(passedOn(busy(true), busy(false), busy(true), other, busy(false))).toEqual([busy(true), busy(false), other])
})
