import { describe, expect, it } from '@jest/globals'
import { SIZES } from '../../base/sizes.ts'
import { commandText } from './command-text.ts'

describe('commandText', () => {
  it.each([
    ['ask', { question: ' how many\tusers?\u202e ' }, 'how many  users?'],
    ['lineage', { job: 'cve enrichment' }, 'lineage cve_enrichment'],
    ['lineage', { job: 'cve', question: 'why?', deep: true }, 'lineage cve why? --deep'],
    ['lineage', { job: 'cve', deep: false }, 'lineage cve'],
    ['subscriptions', {}, '/subscriptions'],
    ['subscriptions', { question: ' pause sub_1 ' }, '/subscriptions pause sub_1'],
  ])('translates /%s %j', (name, options, text) => {
    expect(commandText(name, options)).toBe(text)
  })

  it('keeps just enough of a long question to recognise it as too long', () => {
    expect(commandText('ask', { question: 'x'.repeat(SIZES.question) })).toHaveLength(SIZES.question)
    expect(commandText('ask', { question: `x${' '.repeat(100_000)}x` })).toHaveLength(SIZES.question + 1)
  })

  it.each([
    ['ask', {}],
    ['ask', { question: ' \u200b ' }],
    ['lineage', { question: 'why?' }],
    ['other', { question: 'why?' }],
  ])('returns no message for /%s %j', (name, options) => {
    expect(commandText(name, options)).toBeUndefined()
  })
})
