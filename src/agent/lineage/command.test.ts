import { describe, expect, it } from '@jest/globals'
import { leadsBackToData, readLineageCommand } from './command.ts'

describe('a command', () => {
  it.each([
    ['lineage cve_enrichment', { job: 'cve_enrichment', question: '', isDeep: false }],
    ['/lineage job_0123 why is it NULL?', { job: 'job_0123', question: 'why is it NULL?', isDeep: false }],
    ['Lineage cve why --deep is it so?', { job: 'cve', question: 'why is it so?', isDeep: true }],
    [
      'lineage scheduled__2026-03-01T06:00:00+00:00 why?',
      { job: 'scheduled__2026-03-01T06:00:00+00:00', question: 'why?', isDeep: false },
    ],
    ['lineage 3f2b1c9e-77aa why?', { job: '3f2b1c9e-77aa', question: 'why?', isDeep: false }],
    ['lineage cve --deep', { job: 'cve', question: '', isDeep: true }],
    ['/lineage --deep cve why?', { job: 'cve', question: 'why?', isDeep: true }],
  ])('%s is parsed', (text, command) => {
    expect(readLineageCommand(text)).toEqual(command)
  })

  it.each(['lineage', 'lineage of the orders', 'lineage for cve?', 'what is the lineage of cve?', 'lineages cve'])(
    '%s is an ordinary question',
    text => {
      expect(readLineageCommand(text)).toBeUndefined()
    },
  )
})

it.each([
  ['ask how many users there are', true],
  ['/ask: how many?', true],
  ['asking for a friend: why?', false],
  ['why?', false],
])('%s leads back to data: %s', (text, isBack) => {
  expect(leadsBackToData(text)).toBe(isBack)
})
