import { describe, expect, it } from '@jest/globals'
import { columnOf, schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import { NO_DOMAIN } from '../../domain/pack.ts'
import { newConversation, withTurn } from '../../history/conversation.ts'
import { mayNeedData } from './may-need-data.ts'

const schema = schemaOf(
  tableOf('orders', { comment: 'What customers bought', columns: [columnOf('shop', 'String'), columnOf('amount', 'UInt32')] }),
)
const domain = { ...NO_DOMAIN, full: '# Glossary\n\n- churn: customers that no longer order' }
const first = newConversation('s')
const later = (answer: string, queries: readonly string[]) =>
  withTurn(
    first,
    {
      ...{
        run_id: 'r',
        asked_at: '2026-01-01T00:00:00Z',
        question: 'q',
        standalone_question: 'q',
        intent: 'data_analysis',
        answer,
      },
      queries: queries.map((question, index) => ({ id: `Q${index + 1}`, question })),
    },
    [],
    null,
  )
const may = (question: string, conversation = first, of = schema) => mayNeedData({ question, conversation }, of, domain)

describe('mayNeedData', () => {
  it.each([
    ['a word of a table', 'How many orders were there?'],
    ['a word of a comment, without a question mark', 'everything that was bought'],
    ['a synonym in German', 'Wie viele Kunden gibt es?'],
    ['a word of the definitions', 'What is our churn?'],
    [
      'many words',
      'Tell me quite honestly whether anything strange, bad, sad, funny, odd, mad, weird happened lately in Hamburg',
    ],
    ['a script without synonyms', '注文は何件ですか？'],
  ])('is true for %s', (_, question) => {
    expect(may(question)).toBe(true)
  })

  it.each([
    'Thanks!',
    'Hello Clew',
    'Vielen Dank, das hat geholfen.',
    'What is the weather like tomorrow?',
    'Write me a poem',
    '👍',
    '',
  ])('is false for a first message about nothing in the data: %s', question => {
    expect(may(question)).toBe(false)
  })

  it('is true in a conversation for a further question and for the answer to a question, and false for thanks', () => {
    const answered = later('They sold 60 [Q1].', ['The sum'])
    expect(['And in Hamburg?', 'Thanks!'].map(text => may(text, answered))).toEqual([true, false])
    expect(may('yes', later('Should I split that by region?', []))).toBe(true)
    expect(may('And in Hamburg?', later('Hello!', []))).toBe(false)
  })

  it('is true for each question over a large catalog, which has nearly every word', () => {
    const large = { ...schema, focus: { tables: [], words: new Set<string>(), isSecondLook: false } }
    expect(['What is the weather like?', 'Thanks!'].map(text => may(text, first, large))).toEqual([true, false])
  })
})
