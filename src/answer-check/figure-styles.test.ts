import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../test/support/query-report.ts'
import { CitationChecker } from './citation-checker.ts'

const RIDES = queryReport({
  id: 'Q1',
  question: '',
  columns: [
    { name: 'version', type: 'String' },
    { name: 'day', type: 'Date' },
    { name: 'hour', type: 'DateTime' },
    { name: 'fahrten', type: 'UInt64' },
    { name: 'dauer_min', type: 'Float64' },
  ],
  rows: [
    ['6.0', '2026-11-22', '2026-11-22 10:30:00', '49781', 18.25],
    ['5.9', '2026-11-21', '2026-11-21 10:00:00', '12755', 10.3],
    ['5.8', '2026-11-20', '2026-11-20 09:00:00', '7', 1.234],
  ],
})
const STATIONS = queryReport({
  id: 'Q1',
  question: '',
  columns: [
    { name: 'station', type: 'String' },
    { name: 'day', type: 'Date' },
    { name: 'fahrten', type: 'UInt64' },
    { name: 'dauer_min', type: 'Float64' },
  ],
  rows: [
    ['Zoo', '2026-11-22', '49781', 18.25],
    ['Ostkreuz', '2026-11-21', '12755', 10.3],
    ['Mitte', '2026-11-20', '7', 1.234],
  ],
})
const GERMAN = 'Wie viele Fahrten gab es je Station mit der Version 6.0 am 22.11. um 10.30 Uhr?'
const ENGLISH = 'How many rides did each of the stations have with version 6.0 on 22.11.?'
const WORDLESS = 'Fahrten?'

function problems(text: string, query: typeof RIDES, question: string): readonly string[] {
  const verdict = new CitationChecker([query], { question, timeZone: 'UTC' }).check(text)
  return verdict.kind === 'unsupported' ? verdict.problems.map(problem => problem.reason) : []
}

/** The points in versions, days and times must not decide the decimal mark of the figures beside them. */
describe('figures with points and commas', () => {
  it.each([
    'Version 6.0 hat 49.781 {= fahrten[1]} Fahrten [Q1].',
    'Am 22.11. waren es 49.781 {= fahrten[1]} Fahrten [Q1].',
    'Um 10.30 Uhr wurden 49.781 {= fahrten[1]} Fahrten gezählt [Q1].',
    'Version 5.8 dauert im Schnitt 1,234 {= dauer_min[3]} Minuten, Version 6.0 dagegen 18,25 {= dauer_min[1]} Minuten [Q1].',
    'Zusammen sind es 62.543 {= sum(fahrten)} Fahrten, davon 79,6 % {= 100 * fahrten[1] / sum(fahrten)} mit Version 6.0 [Q1].',
    'On 22.11. version 6.0 had 49,781 {= fahrten[1]} rides of 18.25 {= dauer_min[1]} minutes each [Q1].',
    'Version 6.0 hatte am 22.11. um 10.30 Uhr 49.781 {= fahrten[1]} Fahrten zu je 18,25 {= dauer_min[1]} Minuten [Q1].',
    'Version 5.9 hat 12.755 {= fahrten[2]} Fahrten, Version 6.0 hat 49.781 {= fahrten[1]} Fahrten [Q1].',
  ])('pass beside versions, days and times: %s', text => {
    expect(problems(text, RIDES, '')).toEqual([])
  })

  it.each([
    'Version 6.0 hat 49.871 {= fahrten[1]} Fahrten [Q1].',
    'Am 22.11. waren es 49.718 {= fahrten[1]} Fahrten [Q1].',
    'Version 5.8 dauert im Schnitt 1.234 {= dauer_min[3]} Minuten, Version 6.0 dagegen 18,25 {= dauer_min[1]} Minuten [Q1].',
    'Version 5.9 hat 12,755 {= fahrten[2]} Fahrten und Version 6.0 hat 49.781 {= fahrten[1]} Fahrten [Q1].',
    'Version 5.8 hat 1.234 {= fahrten[3]} Fahrten [Q1].',
    'Version 6.0 hat 497.810 {= fahrten[1]} Fahrten [Q1].',
    'Am 21.11. waren es 12,755 {= fahrten[2]} Fahrten von im Schnitt 10,3 {= dauer_min[2]} Minuten [Q1].',
    'Version 6.0 hat 49.781,5 {= fahrten[1]} Fahrten [Q1].',
  ])('fail if they are wrong, also by a factor of a thousand: %s', text => {
    expect(problems(text, RIDES, '')).not.toEqual([])
  })

  it.each([
    [WORDLESS, '- Zoo: 49.781 {= fahrten[1]} [Q1]'],
    [WORDLESS, '- Zoo (22.11.): 49.781 {= fahrten[1]} [Q1]'],
    [WORDLESS, 'Vom 20.11. bis 22.11. waren es 62.543 {= sum(fahrten)} Fahrten [Q1].'],
    [GERMAN, 'Zoo hatte mit Version 6.0 49.781 {= fahrten[1]} Fahrten [Q1].'],
    [GERMAN, '- Zoo: 49.781 {= fahrten[1]} [Q1]'],
    [GERMAN, '- Mitte: 1,234 {= dauer_min[3]} Minuten [Q1]'],
    [GERMAN, 'Mitte hatte 1,234 {= dauer_min[3]} Minuten [Q1].'],
    [ENGLISH, 'Zoo had 49,781 {= fahrten[1]} rides [Q1].'],
    [ENGLISH, 'Mitte has 1.234 {= dauer_min[3]} minutes [Q1].'],
  ])('pass in the style of %s', (question, text) => {
    expect(problems(text, STATIONS, question)).toEqual([])
  })

  it.each([
    [WORDLESS, 'Version 6.0: 49.718 {= fahrten[1]} Fahrten [Q1].'],
    [WORDLESS, 'Version 6.0: 1.234 {= fahrten[3]} Fahrten [Q1].'],
    [WORDLESS, 'Mitte: 1.234 {= dauer_min[3]} Minuten, Zoo 18,25 {= dauer_min[1]} Minuten [Q1].'],
    [GERMAN, '- Zoo: 49,781 {= fahrten[1]} [Q1]'],
    [GERMAN, '- Mitte: 1.234 {= dauer_min[3]} Minuten [Q1]'],
    [GERMAN, 'Mitte hatte mit Version 6.0 am 20.11. um 10.30 Uhr 1.234 {= dauer_min[3]} Minuten [Q1].'],
    [ENGLISH, 'Zoo had 49.781 {= fahrten[1]} rides [Q1].'],
    [ENGLISH, 'Mitte has 1,234 {= dauer_min[3]} minutes [Q1].'],
  ])('fail if the style of %s reads them differently: %s', (question, text) => {
    expect(problems(text, STATIONS, question)).not.toEqual([])
  })

  it('are no dates at the end of a sentence', () => {
    expect(problems('For Ostkreuz the minutes were 10.3. [Q1]', STATIONS, ENGLISH)).toEqual([])
    expect(problems('For Ostkreuz the minutes were 10.4. [Q1]', STATIONS, ENGLISH)).not.toEqual([])
  })
})
