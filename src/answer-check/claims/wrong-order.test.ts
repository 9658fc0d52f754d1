import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { CitationChecker } from '../citation-checker.ts'

const STATIONS = queryReport({
  id: 'Q1',
  question: 'Rides by station',
  columns: [
    { name: 'station', type: 'String' },
    { name: 'district', type: 'String' },
    { name: 'rides', type: 'UInt64' },
    { name: 'rides_2025', type: 'UInt64' },
    { name: 'avg_minutes', type: 'Float64' },
  ],
  rows: [
    ['Alexanderplatz', 'Mitte', '9214', '8000', 18.4],
    ['Hauptbahnhof', 'Mitte', '5502', '6000', 21.7],
    ['Ostkreuz', 'Ost', '3650', '3000', 26],
    ['Zoo', 'West', '1825', '2000', 14.2],
  ],
})

function problems(text: string): readonly string[] {
  const verdict = new CitationChecker([STATIONS], { question: '', timeZone: 'UTC' }).check(text)
  return verdict.kind === 'unsupported' ? verdict.problems.map(problem => problem.reason) : []
}

/** The name behind "than" is the base of the difference, no matter where the two figures stand. */
describe('comparisons with a name behind "than"', () => {
  it.each([
    'Hauptbahnhof had 3,677 {= rides[2] - rides[4]} more rides than Zoo, 5,502 {= rides[2]} against 1,825 {= rides[4]} [Q1].',
    'Zoo had 3,677 {= rides[2] - rides[4]} fewer rides than Hauptbahnhof: 1,825 {= rides[4]} instead of 5,502 {= rides[2]} [Q1].',
    'With 5,502 {= rides[2]} rides, Hauptbahnhof saw 3,677 {= rides[2] - rides[4]} more than Zoo with 1,825 {= rides[4]} [Q1].',
    'Hauptbahnhof hatte 3.677 {= rides[2] - rides[4]} Fahrten mehr als Zoo, nämlich 5.502 {= rides[2]} gegenüber 1.825 {= rides[4]} [Q1].',
    'Ostkreuz had 100 % {= 100 * (rides[3] - rides[4]) / rides[4]} more rides than Zoo, 3,650 {= rides[3]} against 1,825 {= rides[4]} [Q1].',
    'Rides from Ostkreuz last 4.3 minutes {= avg_minutes[3] - avg_minutes[2]} longer than those from Hauptbahnhof, 26 minutes {= avg_minutes[3]} on average against 21.7 {= avg_minutes[2]} [Q1].',
    'Zoo had half {= rides[4] / rides[3]} as many rides as Ostkreuz, 1,825 {= rides[4]} against 3,650 {= rides[3]} [Q1].',
    'In Zoo waren es 3.677 {= rides[2] - rides[4]} Fahrten weniger als in Hauptbahnhof, 1.825 {= rides[4]} statt 5.502 {= rides[2]} [Q1].',
    "Mitte had 11,066 {= sum(rides, district = 'Mitte') - sum(rides, district = 'Ost')} more rides than Ost, 14,716 {= sum(rides, district = 'Mitte')} against 3,650 {= rides[3]} [Q1].",
    'Ostkreuz überstieg Zoo um 1.825 {= rides[3] - rides[4]} Fahrten [Q1].',
    'Hauptbahnhof lag mit 5.502 {= rides[2]} Fahrten um 3.677 {= rides[2] - rides[4]} über Zoo mit 1.825 {= rides[4]} [Q1].',
    'Ostkreuz hatte doppelt {= rides[3] / rides[4]} so viele Fahrten wie Zoo, 3.650 {= rides[3]} gegenüber 1.825 {= rides[4]} [Q1].',
    'Ostkreuz had twice {= rides[3] / rides[4]} as many rides as Zoo [Q1].',
    'Zoo had 50 % {= 100 * (rides[3] - rides[4]) / rides[3]} fewer rides than Ostkreuz, 1,825 {= rides[4]} against 3,650 {= rides[3]} [Q1].',
    'Hauptbahnhof exceeded the 1,825 {= rides[4]} rides of Zoo by 3,677 {= rides[2] - rides[4]} [Q1].',
    'A ride from Zoo took 7.5 minutes {= avg_minutes[2] - avg_minutes[4]} less than one from Hauptbahnhof: 14.2 {= avg_minutes[4]} against 21.7 minutes {= avg_minutes[2]} [Q1].',
    'Alexanderplatz had 1,214 {= rides[1] - rides_2025[1]} more rides than in the year before, 9,214 {= rides[1]} against 8,000 {= rides_2025[1]} [Q1].',
    'Alexanderplatz had 3,712 {= rides[1] - rides[2]} more rides than the runner-up, 9,214 {= rides[1]} against 5,502 {= rides[2]} [Q1].',
    'That is 3,677 {= rides[2] - rides[4]} more than the 1,825 {= rides[4]} of Zoo [Q1].',
    'In Mitte waren es 3.712 {= rides[1] - rides[2]} Fahrten mehr am Alexanderplatz als am Hauptbahnhof, nämlich 9.214 {= rides[1]} statt 5.502 {= rides[2]} [Q1].',
    'Alexanderplatz is 3,712 {= rides[1] - rides[2]} rides ahead of Hauptbahnhof, 9,214 {= rides[1]} to 5,502 {= rides[2]} [Q1].',
    'At 26 minutes {= avg_minutes[3]} rides from Ostkreuz last 1.8 times {= avg_minutes[3] / avg_minutes[4]} as long as those from Zoo [Q1].',
  ])('holds: %s', text => {
    expect(problems(text)).toEqual([])
  })

  it.each([
    'Zoo had 3,677 {= rides[2] - rides[4]} more rides than Hauptbahnhof, 1,825 {= rides[4]} against 5,502 {= rides[2]} [Q1].',
    'Hauptbahnhof had 3,677 {= rides[2] - rides[4]} fewer rides than Zoo: 5,502 {= rides[2]} instead of 1,825 {= rides[4]} [Q1].',
    'With 1,825 {= rides[4]} rides, Zoo saw 3,677 {= rides[2] - rides[4]} more than Hauptbahnhof with 5,502 {= rides[2]} [Q1].',
    'Zoo hatte 3.677 {= rides[2] - rides[4]} Fahrten mehr als Hauptbahnhof, nämlich 1.825 {= rides[4]} gegenüber 5.502 {= rides[2]} [Q1].',
    'Zoo had 100 % {= 100 * (rides[3] - rides[4]) / rides[4]} more rides than Ostkreuz, 1,825 {= rides[4]} against 3,650 {= rides[3]} [Q1].',
    'Rides from Hauptbahnhof last 4.3 minutes {= avg_minutes[3] - avg_minutes[2]} longer than those from Ostkreuz, 21.7 minutes {= avg_minutes[2]} on average against 26 {= avg_minutes[3]} [Q1].',
    'Alexanderplatz had 3,712 {= rides[1] - rides[2]} fewer rides than Hauptbahnhof, 9,214 {= rides[1]} against 5,502 {= rides[2]} [Q1].',
    "Ost had 11,066 {= sum(rides, district = 'Mitte') - sum(rides, district = 'Ost')} more rides than Mitte, 3,650 {= rides[3]} against 14,716 {= sum(rides, district = 'Mitte')} [Q1].",
    'Ostkreuz had 50 % {= 100 * (rides[3] - rides[4]) / rides[3]} fewer rides than Zoo, 3,650 {= rides[3]} against 1,825 {= rides[4]} [Q1].',
    'Zoo exceeded the 5,502 {= rides[2]} rides of Hauptbahnhof by 3,677 {= rides[2] - rides[4]} [Q1].',
    'A ride from Hauptbahnhof took 7.5 minutes {= avg_minutes[2] - avg_minutes[4]} less than one from Zoo: 21.7 {= avg_minutes[2]} against 14.2 minutes {= avg_minutes[4]} [Q1].',
    'Alexanderplatz had 3,712 {= rides[1] - rides[2]} fewer rides than the runner-up, 9,214 {= rides[1]} against 5,502 {= rides[2]} [Q1].',
    'In Mitte waren es 3.712 {= rides[1] - rides[2]} Fahrten mehr am Hauptbahnhof als am Alexanderplatz, nämlich 5.502 {= rides[2]} statt 9.214 {= rides[1]} [Q1].',
  ])('is refused: %s', text => {
    expect(problems(text)).not.toEqual([])
  })
})
