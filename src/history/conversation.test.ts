import { describe, expect, it } from '@jest/globals'
import { createLogger } from '../base/logger.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import { type ConversationTurn, newConversation, overflow, withoutPerson, withSummary, withTurn } from './conversation.ts'
import { ConversationStore } from './conversation-store.ts'

const { signal } = new AbortController()

function turn(runId: string): ConversationTurn {
  return {
    run_id: runId,
    asked_at: '2026-03-01T12:00:00.000Z',
    question: 'q',
    standalone_question: 'q',
    intent: 'data_analysis',
    answer: 'a',
    queries: [],
  }
}

describe('conversation', () => {
  it('adds a turn once, however often its run is resumed', () => {
    const once = withTurn(newConversation('s'), turn('r1'), [], null)
    expect(withTurn(once, turn('r1'), [], null).turns).toHaveLength(1)
  })

  it('keeps the entities last shown until other entities are shown', () => {
    const shown = withTurn(newConversation('s'), turn('r1'), [{ column: 'metro', values: ['ams'] }], null)
    expect(withTurn(shown, turn('r2'), [], null).entities).toEqual([{ column: 'metro', values: ['ams'] }])
  })

  it('is bounded: long answers are cut, and old turns fold into the summary', () => {
    let conversation = newConversation('s')
    for (let index = 0; index < 5; index++)
      conversation = withTurn(conversation, { ...turn(`r${index}`), answer: 'x'.repeat(9_000) }, [], null)
    expect(conversation.turns[0]?.answer).toHaveLength(4_000)
    expect(overflow(conversation, 3).map(old => old.run_id)).toEqual(['r0', 'r1'])
    const told = { before: '', turns: overflow(conversation, 3) }
    const summarized = withSummary(conversation, 'so far', told)
    expect([summarized.summary, summarized.turns.map(kept => kept.run_id)]).toEqual(['so far', ['r2', 'r3', 'r4']])
    expect(withSummary(summarized, 'of others', told)).toBe(summarized)
  })

  it('keeps turns that arrive while the summary is being written', () => {
    const before = withTurn(withTurn(newConversation('s'), turn('r1'), [], null), turn('r2'), [], null)
    const later = withTurn(withTurn(before, turn('r3'), [], null), { ...turn('r1'), answer: 'another' }, [], null)
    const { turns } = withSummary(later, 'so far', { before: '', turns: before.turns })
    expect(turns.map(({ run_id: id, answer }) => [id, answer])).toEqual([
      ['r3', 'a'],
      ['r1', 'another'],
    ])
  })

  it("is bounded: a turn's questions are cut too", () => {
    const long = 'x'.repeat(40_000)
    const asked = { ...turn('r1'), question: long, standalone_question: long, queries: [{ id: 'Q1', question: long }] }
    const [kept] = withTurn(newConversation('s'), asked, [], null).turns
    const lengths = [kept?.question, kept?.standalone_question, kept?.queries[0]?.question].map(text => text?.length)
    expect(lengths).toEqual([2_000, 2_000, 2_000])
  })
})

describe('withoutPerson', () => {
  const of = (asker: string, ...ids: readonly string[]) => ids.map(id => ({ ...turn(id), asker }))
  const whole = {
    ...newConversation('s'),
    turns: [...of('slack/U1', 'r1'), ...of('slack/U2', 'r2')],
    entities: [{ column: 'metro', values: ['ams'] }],
  }
  const whose = { person: 'slack/U1', runs: new Set<string>() }

  it("removes the person's turns and what the answers have shown", () => {
    expect(withoutPerson(whole, whose)).toEqual({ ...newConversation('s'), turns: of('slack/U2', 'r2') })
    const old = { ...newConversation('s'), turns: [turn('r1'), turn('r2')] }
    expect(withoutPerson(old, { ...whose, runs: new Set(['r2']) }).turns).toEqual([turn('r1')])
  })

  it('returns a conversation without the person as it is', () => {
    expect(withoutPerson(whole, { ...whose, person: 'slack/U3' })).toBe(whole)
  })

  it('keeps a summary only if it covers known others', () => {
    const summaryAfter = (...askers: readonly string[]) => {
      const turns = askers.map((asker, index) => (asker === '' ? turn(`r${index}`) : { ...turn(`r${index}`), asker }))
      const summarized = withSummary({ ...newConversation('s'), turns }, 'so far', { before: '', turns })
      return withoutPerson(summarized, whose).summary
    }
    expect(summaryAfter('slack/U2', 'slack/U3')).toBe('so far')
    expect(summaryAfter('slack/U2', 'slack/U1')).toBe('')
    expect(summaryAfter('slack/U2', '')).toBe('')
    expect(withoutPerson({ ...newConversation('s'), summary: 'of an older version' }, whose).summary).toBe('')
  })
})

describe('ConversationStore', () => {
  it('starts fresh if the stored conversation is unreadable', async () => {
    const store = createMemoryStateStore({ now: Date.now })
    const conversations = new ConversationStore({ store, newId: () => 'new', logger: createLogger({ level: 'silent' }) })
    await store.set('{t}:conversation', '{"version":0}', 60, signal)
    expect(await conversations.load('t', signal)).toEqual(newConversation('session_new'))
    const saved = withTurn(newConversation('session_x'), turn('r1'), [], 'db.t')
    await conversations.change('t', () => saved, signal)
    expect(await conversations.load('t', signal)).toEqual(saved)
  })
})
