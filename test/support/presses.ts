import { type RecordableQuery, type RunRecord, RunRecords } from '../../src/bots/actions/run-record.ts'
import type { PressedAction } from '../../src/chat/action.ts'
import type { ChatPress } from '../../src/chat/event.ts'
import type { AcceptedMessage } from '../../src/queue/accept/accepted-message.ts'
import { AcceptedRuns } from '../../src/queue/accept/accepted-runs.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import { queryReport } from './query-report.ts'
import { chatMessage } from './queue-harness.ts'
import { TEST_STATE_KEY } from './state-key.ts'

/** The stored facts behind the buttons of answers. In tests, they are kept in memory. */
export interface KeptAnswers {
  readonly runs: AcceptedRuns
  readonly records: RunRecords
  keep(record: RunRecord, queries?: readonly RecordableQuery[]): Promise<void>
}

export function keepAnswers(): KeptAnswers {
  const store = createMemoryStateStore({ now: () => 0 })
  const deps = { store, retentionSeconds: 60, key: TEST_STATE_KEY }
  const records = new RunRecords(deps)
  return {
    runs: new AcceptedRuns(deps),
    records,
    keep: (record, queries = [queryReport({})]) => records.save(record, queries, new AbortController().signal),
  }
}

/** Returns a question that person U1 asked in a Slack thread. */
export function acceptedMessage(changes: Partial<AcceptedMessage['message']> = {}): AcceptedMessage {
  return { runId: 'run_1', acceptedAt: 1, message: { ...chatMessage('how many devices?'), ...changes } }
}

/** Returns the stored record of the run that answered this question. */
export function runRecord(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    version: 1,
    runId: 'run_1',
    place: chatMessage('').place,
    author: 'U1',
    isPrivate: false,
    question: 'how many devices?',
    standaloneQuestion: 'How many devices are there?',
    answeredAt: 2,
    isFailure: false,
    queries: [queryReport({})],
    figures: [],
    language: 'en',
    markdown: 'There are 42 [Q1].',
    footer: '- [Q1] Counts devices. (1 row)',
    ...changes,
  }
}

/** Returns a press of one of the answer's buttons. By default, the person who asked presses it. */
export function chatPress(action: PressedAction['action'], changes: Partial<ChatPress> = {}): ChatPress {
  return {
    place: chatMessage('').place,
    pressId: 'press-1',
    order: 1_700_000_000_000_000,
    user: 'U1',
    pressed: { action, runId: 'run_1' },
    messageId: 'm1',
    interaction: {},
    ...changes,
  }
}
