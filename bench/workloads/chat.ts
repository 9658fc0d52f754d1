import { startChatProcesses } from '../chat-processes.ts'
import { type ChatRoom, openDiscordRoom, openSlackRoom, type ShownState } from '../chat-room.ts'
import { asked } from '../model/asked.ts'
import { type Row, row } from '../row.ts'
import { spread } from '../statistics.ts'
import type { BenchParts } from '../workload.ts'

/**
 * For each kind of question, the text that first appears at each moment. For `data`, it is a column or cell that the question does not contain.
 */
const MOMENTS = {
  simple: { plan: 'Metros with at least three', data: 'metro_code', words: 'Four metros have', complete: 'have 3 devices each' },
  complex: {
    plan: 'Number of devices by status',
    data: 'activated',
    words: 'The network is mostly',
    complete: '6 users are rejected',
  },
} as const
type Kind = keyof typeof MOMENTS

/**
 * Measures when a person sees what in Slack and Discord, with the real bots, worker, Redis and engine, and the platforms' rate limits.
 */
export async function measureChat(parts: BenchParts): Promise<readonly Row[]> {
  await parts.model.reset(parts.preset ?? 'mini')
  const rows: Row[] = []
  for (const open of parts.isQuick ? [openSlackRoom] : [openSlackRoom, openDiscordRoom]) {
    const room = await open()
    try {
      rows.push(...(await measureRoom(parts, room)))
    } finally {
      await room.close()
    }
  }
  return rows
}

async function measureRoom(parts: BenchParts, room: ChatRoom): Promise<readonly Row[]> {
  const processes = await startChatProcesses(room, parts.model, parts.world)
  try {
    const rows: Row[] = []
    for (const kind of ['simple', 'complex'] as const) {
      await ask(parts, room, kind)
      const rounds: Awaited<ReturnType<typeof ask>>[] = []
      for (let round = 0; round < parts.rounds; round += 1) rounds.push(await ask(parts, room, kind))
      for (const moment of ['placeholder', 'plan', 'data', 'words', 'complete'] as const) {
        const times = rounds.map(each => each[moment]).filter(time => time !== undefined)
        if (times.length === 0) continue
        rows.push(
          row(
            `${room.name}_${kind}_${moment}`,
            `${room.name}, ${kind}, mini: question to ${TITLES[moment]}`,
            spread(times),
            'ms',
          ),
        )
      }
    }
    return rows
  } finally {
    await processes.stop()
  }
}

const TITLES = {
  placeholder: 'the first sign',
  plan: 'the plan',
  data: 'the first data',
  words: 'the first words of the answer',
  complete: 'the complete answer',
} as const

async function ask(parts: BenchParts, room: ChatRoom, kind: Kind) {
  const marks = MOMENTS[kind]
  const states = await room.ask(asked(kind, parts.nextNumber()).scenario.question, marks.complete)
  const first = (text: string) => earliest(states.filter(({ content }) => content.includes(text)))
  return {
    placeholder: earliest(states),
    plan: first(marks.plan),
    data: first(marks.data),
    words: first(marks.words),
    complete: first(marks.complete),
  }
}

function earliest(states: readonly ShownState[]): number | undefined {
  return states.length === 0 ? undefined : Math.min(...states.map(({ at }) => at))
}
