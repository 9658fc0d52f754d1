import { setTimeout as wait } from 'node:timers/promises'
import { type ProgramOptions, startProgram } from './child-process.ts'
import { type PeerLine, type PeerRequest, peerLineSchema } from './peer-events.ts'
import type { SimulatedModel } from './simulated-model.ts'
import type { World } from './world.ts'

/** The milliseconds from the question to each part of the answer. A part that the program does not report is undefined. */
export interface Timeline {
  readonly plan?: number
  readonly first_data?: number
  readonly first_words?: number
  readonly complete: number
}

/** An answer and its times. Only Clew reports the further facts. */
export interface Answered extends Timeline {
  readonly firstTry?: boolean
  /** The time that Clew spent on the schema, in milliseconds. */
  readonly schemaMs?: number
}

type Usage = Extract<PeerLine, { event: 'usage' }>

/** A program that answers questions: Clew, or one that is compared with it. bench/peers/CONTRACT.md describes its input and output. */
export interface Contender {
  readonly name: string
  readonly version: string
  /** @throws Error if the program fails to answer, or takes too long */
  ask(question: string, thread?: string): Promise<Answered>
  usage(): Promise<Usage>
  stop(): Promise<void>
}

export interface Places {
  readonly modelUrl: string
  readonly warehouseUrl: string
  readonly schemaFile: string
}

export function placesOf(model: Pick<SimulatedModel, 'baseUrl'>, world: Pick<World, 'url' | 'schemaFile'>): Places {
  return { modelUrl: model.baseUrl, warehouseUrl: world.url, schemaFile: world.schemaFile }
}

const ANSWER_MS = 120_000
const READY_MS = 60_000
/** The file of each program, by the program's name. */
const PROGRAMS = {
  clew: 'bench/main-clew-analyst.ts',
  barriers: 'bench/peers/barriers/main.mjs',
  langgraph: 'bench/peers/langgraph/main.mjs',
  'ai-sdk': 'bench/peers/ai-sdk/main.mjs',
  'openai-agents': 'bench/peers/openai-agents/main.mjs',
} as const
export type ContenderName = keyof typeof PROGRAMS

export async function startContender(
  name: ContenderName,
  places: Places,
  { env = {}, ...options }: ProgramOptions = {},
): Promise<Contender> {
  const program = startProgram(PROGRAMS[name], [], {
    ...options,
    env: {
      BENCH_MODEL_URL: places.modelUrl,
      BENCH_WAREHOUSE_URL: places.warehouseUrl,
      BENCH_SCHEMA_FILE: places.schemaFile,
      BENCH_DATABASE: 'network',
      BENCH_PEER: name,
      ...env,
    },
  })
  const lineOf = (line: unknown) => peerLineSchema.parse(line)
  const ready = await within(
    READY_MS,
    `${name} did not start`,
    program.next(line => {
      const said = lineOf(line)
      return said.event === 'ready' ? said : undefined
    }),
  )
  const tell = (request: PeerRequest) => program.tell(request)
  let asked = 0
  return {
    name,
    version: ready.version,
    async ask(question, thread) {
      asked += 1
      const id = String(asked)
      const times: Record<string, number> = {}
      const end = program.next(line => {
        const said = lineOf(line)
        if (!('id' in said) || said.id !== id) return undefined
        times[said.event] = said.at
        return said.event === 'complete' || said.event === 'failed' ? said : undefined
      })
      const sentAt = performance.timeOrigin + performance.now()
      tell({ id, question, ...(thread !== undefined && { thread }) })
      const last = await within(ANSWER_MS, `${name} did not answer`, end)
      if (last.event === 'failed') throw new Error(`${name}: ${last.error}`)
      const since = (event: string) => (times[event] === undefined ? {} : { [event]: times[event] - sentAt })
      const { first_try: firstTry, schema_ms: schemaMs } = last
      return {
        ...since('plan'),
        ...since('first_data'),
        ...since('first_words'),
        complete: last.at - sentAt,
        ...(firstTry !== undefined && { firstTry }),
        ...(schemaMs !== undefined && { schemaMs }),
      }
    },
    async usage() {
      const answer = program.next(line => {
        const said = lineOf(line)
        return said.event === 'usage' ? said : undefined
      })
      tell({ ask: 'usage' })
      return within(READY_MS, `${name} did not tell its usage`, answer)
    },
    stop: program.stop,
  }
}

/** @throws Error with this message if the work takes longer than this time */
export async function within<Result>(milliseconds: number, message: string, work: Promise<Result>): Promise<Result> {
  const over = new AbortController()
  const late = wait(milliseconds, undefined, { signal: over.signal }).then(
    () => {
      throw new Error(`${message} within ${milliseconds} ms`)
    },
    () => work,
  )
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}
