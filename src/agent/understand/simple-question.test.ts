import { describe, expect, it } from '@jest/globals'
import { newConversation } from '../../history/conversation.ts'
import { isSimpleQuestion } from './simple-question.ts'

const conversation = newConversation('s')
const simple = (question: string) => isSimpleQuestion({ question, conversation })

describe('isSimpleQuestion', () => {
  it.each([
    'How many validators are connected to the network?',
    'Which three links had the highest utilisation in the last 24 hours?',
    'What was the revenue of version 2.5 in June 2026?',
    'Show the ten largest orders',
    'Wie viele Kunden gibt es in jedem Land?',
    '注文は 何件 ですか？',
  ])('is true for a single data question: %s', question => {
    expect(simple(question)).toBe(true)
  })

  it.each([
    ['a reason', 'Why did the share of Willow Haven fall?'],
    ['an open question', 'How is the network doing?'],
    ['a comparison', 'How do sales of May compare to June?'],
    ['two questions', 'How many orders were there, and which shop had most?'],
    ['several sentences', 'Cancelled orders do not count. Which shop sold the most?'],
    ['several lines', 'Which shop sold most?\nHow much?'],
    ['thanks', 'Thank you very much!'],
    ['a word', 'Orders?'],
    ['a long text', `Which shop sold ${'very '.repeat(30)}much?`],
  ])('is false for %s', (_, question) => {
    expect(simple(question)).toBe(false)
  })

  it('is false for a message that may continue a conversation', () => {
    expect(
      isSimpleQuestion({ question: 'Which of them are in Oslo?', conversation: { ...conversation, summary: 'Shops.' } }),
    ).toBe(false)
  })
})
