import { startChatProcesses } from '../chat-processes.ts'
import { openSlackRoom, type SlackRoom } from '../chat-room.ts'
import { asked } from '../model/asked.ts'
import { type Row, row } from '../row.ts'
import { median, spread } from '../statistics.ts'
import { startStubWarehouse } from '../stub-warehouse.ts'
import type { BenchParts } from '../workload.ts'

const THREADS = 120
/** The end of the answer to a simple question. When it appears, the answer is complete. */
const COMPLETE = 'have 3 devices each'

/**
 * Measures how much longer one person waits while another has 120 questions under way. There is one worker, and a warehouse without latency.
 */
export async function measureFairness(parts: BenchParts): Promise<readonly Row[]> {
  await parts.model.reset(parts.preset ?? 'mini')
  const stub = await startStubWarehouse(parts.world)
  const room = await openSlackRoom()
  const processes = await startChatProcesses(room, parts.model, stub)
  try {
    await ask(parts, room)
    const alone = await askInTurn(parts, room)
    await room.flood(Array.from({ length: THREADS }, () => questionOf(parts)))
    const beside = await askInTurn(parts, room)
    if (room.flooded(COMPLETE) >= THREADS) throw new Error('the flood was over before the last question beside it was answered')
    const workload = `${THREADS} threads of another person, slack, simple, mini, warehouse at no latency`
    const ratios = (moment: keyof Wait) => spread(beside.map(each => each[moment] / median(alone.map(wait => wait[moment]))))
    return [
      row('fair_complete', `complete answer beside a flood ÷ alone: ${workload}`, ratios('complete'), '×', { most: 1.3 }),
      row('fair_first', `first sign beside a flood ÷ alone: ${workload}`, ratios('first'), '×'),
    ]
  } finally {
    await processes.stop()
    await Promise.all([room.close(), stub.close()])
  }
}

/** A person's waiting times, in milliseconds since the question. */
interface Wait {
  readonly first: number
  readonly complete: number
}

async function askInTurn(parts: BenchParts, room: SlackRoom): Promise<readonly Wait[]> {
  const waits: Wait[] = []
  for (let round = 0; round < parts.rounds; round += 1) waits.push(await ask(parts, room))
  return waits
}

async function ask(parts: BenchParts, room: SlackRoom): Promise<Wait> {
  const states = await room.ask(questionOf(parts), COMPLETE)
  const complete = states.filter(({ content }) => content.includes(COMPLETE))
  return { first: Math.min(...states.map(({ at }) => at)), complete: Math.min(...complete.map(({ at }) => at)) }
}

function questionOf(parts: BenchParts): string {
  return asked('simple', parts.nextNumber()).scenario.question
}
