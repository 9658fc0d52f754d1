import { describe, expect, it } from '@jest/globals'
import { scheduleInWords } from './schedule-words.ts'

describe('scheduleInWords', () => {
  it.each([
    ['0 3 * * *', 'every day at 03:00', 'jeden Tag um 03:00'],
    ['*/15 * * * *', 'every 15 minutes', 'alle 15 Minuten'],
    ['* * * * *', 'every minute', 'jede Minute'],
    ['5 * * * *', 'every hour at minute 5', 'jede Stunde in Minute 5'],
    ['30 6 * * 1,5', 'on Monday, Friday at 06:30', 'am Montag, Freitag um 06:30'],
    [
      '0 8 * * 1-5',
      'on Monday, Tuesday, Wednesday, Thursday, Friday at 08:00',
      'am Montag, Dienstag, Mittwoch, Donnerstag, Freitag um 08:00',
    ],
    ['0 0 * * 7', 'on Sunday at 00:00', 'am Sonntag um 00:00'],
    ['0 7 1 * *', 'on day 1 of each month at 07:00', 'am 1. jedes Monats um 07:00'],
  ])('says %s in words', (schedule, english, german) => {
    expect([scheduleInWords(schedule, 'en'), scheduleInWords(schedule, 'de')]).toEqual([english, german])
  })

  it.each([
    '0 3 1 * 1',
    '0 3 * 6 *',
    '0 9-17 * * *',
    '0 3 * * 5-1',
    '0 3 * * 1#2',
    '*/15 8 * * *',
    '0,30 * * * *',
    '*/45 * * * *',
  ])('shows %s as it is, because no words fit', schedule => {
    expect(scheduleInWords(schedule, 'en')).toBe(`by the schedule \`${schedule}\``)
  })
})
