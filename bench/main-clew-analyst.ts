import { createInterface } from 'node:readline'
import type { RunEvent } from '../src/agent/run/event.ts'
import { newRunId } from '../src/agent/run/id.ts'
import { runCommand } from '../src/main/commands/command-context.ts'
import { type AskParts, openAnalyst } from '../src/main/open-analyst.ts'
import { watchBlocks } from './longest-block.ts'
import { type PeerLine, peerRequestSchema } from './peer-events.ts'

// Clew's analyst without a chat platform, with the same parts as in `clew chat`. Its input and output follow bench/peers/CONTRACT.md.

const EVENTS: Readonly<Partial<Record<RunEvent['kind'], 'plan' | 'first_data' | 'first_words'>>> = {
  data_question_planned: 'plan',
  query_finished: 'first_data',
  answer_grown: 'first_words',
}

const blocks = watchBlocks()

const { BENCH_MODEL_URL, BENCH_WAREHOUSE_URL, BENCH_DATABASE, ...own } = process.env
process.exitCode = await runCommand(
  {
    ...own,
    OPENAI_BASE_URL: BENCH_MODEL_URL,
    OPENAI_MODEL: 'simulated',
    CLICKHOUSE_URL: BENCH_WAREHOUSE_URL,
    CLICKHOUSE_DATABASE: BENCH_DATABASE,
    CLEW_DOMAIN_DIR: 'bench/domain',
  },
  async context => {
    const parts = await openAnalyst(context)
    // Reads the schema before the first question. A process does this only once, and the benchmark measures a process that is already running.
    print({ event: 'ready', name: process.env.BENCH_PEER ?? 'clew', version: '0.1.0' })
    const running = new Set<Promise<void>>()
    for await (const line of createInterface({ input: process.stdin })) {
      const request = peerRequestSchema.parse(JSON.parse(line))
      if ('ask' in request) print(usage())
      else {
        const work = answer(parts, request, context.signal).finally(() => running.delete(work))
        running.add(work)
      }
    }
    await Promise.all(running)
    return 0
  },
  { logLevel: 'warn' },
)

async function answer(
  { analyst }: AskParts,
  { id, question, thread = id }: { readonly id: string; readonly question: string; readonly thread?: string },
  signal: AbortSignal,
): Promise<void> {
  const said = new Set<string>()
  const once = (event: 'started' | 'plan' | 'first_data' | 'first_words') => {
    if (said.has(event)) return
    said.add(event)
    print({ event, id, at: now() })
  }
  once('started')
  try {
    const { result, afterwards } = await analyst.ask(
      {
        runId: newRunId(),
        thread: `bench/${thread}`,
        text: question,
        askedAt: Date.now(),
        observe: event => {
          const name = EVENTS[event.kind]
          if (name === undefined || (event.kind === 'query_finished' && !event.ok)) return
          once(name)
        },
      },
      signal,
    )
    const at = now()
    // A LOW rating shows that the run differs from the script, for example by a failed query. On a busy machine, a query may run without its
    // check.
    const { answer: text, queries, confidence, confidence_reason: reason, steps } = result
    if (confidence === 'LOW') throw new Error(`the answer is rated ${confidence}: ${reason}\n${text}`)
    print({
      event: 'complete',
      id,
      at,
      answer: text,
      queries: queries.length,
      first_try: queries.every(({ attempts }) => attempts === 1),
      schema_ms: steps.find(({ step }) => step === 'schema')?.duration_ms ?? 0,
    })
    await afterwards(signal)
  } catch (error) {
    print({ event: 'failed', id, at: now(), error: error instanceof Error ? error.message : String(error) })
  }
}

function usage(): PeerLine {
  const { user, system } = process.cpuUsage()
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  const memory = { rss_mb: rss / 2 ** 20, heap_mb: heapUsed / 2 ** 20 }
  return { event: 'usage', cpu_ms: (user + system) / 1000, ...memory, longest_block_ms: blocks.longest() }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}

function print(line: PeerLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
