import { describe, expect, it } from '@jest/globals'
import { dataAgeNote } from './data-age.ts'

const NOW = Date.parse('2026-11-22T14:08:30Z')

describe('dataAgeNote', () => {
  it.each([
    ['2026-11-22T14:05:00.000Z', 'Data up to 14:05 UTC, 3 minutes ago.'],
    ['2026-11-22T14:07:20.000Z', 'Data up to 14:07 UTC, 1 minute ago.'],
    ['2026-11-22T14:08:00.000Z', 'Data up to 14:08 UTC, less than a minute ago.'],
    ['2026-11-22T14:10:00.000Z', 'Data up to 14:10 UTC, less than a minute ago.'],
    ['2026-11-22T12:00:00.000Z', 'Data up to 12:00 UTC, 2 hours ago.'],
    ['2026-11-21T12:00:00.000Z', 'Data up to 2026-11-21 12:00 UTC, 26 hours ago.'],
    ['2026-11-19T12:00:00.000Z', 'Data up to 2026-11-19 12:00 UTC, 3 days ago.'],
    ['2026-11-22', 'Data up to 2026-11-22.'],
    ['2026-11-21', 'Data up to 2026-11-21.'],
    ['2026-11-19', 'Data up to 2026-11-19, 3 days ago.'],
  ])('says about %s: %s', (latest, note) => {
    expect(dataAgeNote([{ data_until: latest }], NOW, 'en')).toBe(note)
  })

  it.each([
    ['2026-11-22T14:07:20.000Z', 'Daten bis 14:07 UTC, vor einer Minute.'],
    ['2026-11-22T14:10:00.000Z', 'Daten bis 14:10 UTC, vor weniger als einer Minute.'],
    ['2026-11-19', 'Daten bis 2026-11-19, vor 3 Tagen.'],
  ])('says it in German about %s: %s', (latest, note) => {
    expect(dataAgeNote([{ data_until: latest }], NOW, 'de')).toBe(note)
  })

  it('says nothing if the age is unknown', () => {
    expect(dataAgeNote([{}, { data_until: undefined }], NOW, 'en')).toBe('')
  })
})
