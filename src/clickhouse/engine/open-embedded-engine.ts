import { spawn } from 'node:child_process'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ConfigurationError, errorMessage } from '../../base/errors.ts'
import { isAlive } from '../../base/is-alive.ts'
import { compiledEntry } from '../../base/package-files.ts'
import { withTimeLimit } from '../../base/with-time-limit.ts'
import { CLICKHOUSE_LIMITS, ENGINE_SERVER_SETTINGS } from '../limits.ts'
import { findChdb } from './chdb-native.ts'
import { type EngineLease, takeLease } from './lease.ts'
import { makeFolder } from './make-folder.ts'
import {
  ENGINE_PATHS,
  type EngineOptions,
  type EngineStart,
  type EngineState,
  engineStartSchema,
  engineStateSchema,
} from './options.ts'
import { temporaryDirectory } from './temporary-directory.ts'

interface EngineUserAddress {
  readonly url: string
  readonly username: string
  readonly password: string
}

export interface EngineEndpoint {
  readonly reader: EngineUserAddress
  readonly writer: EngineUserAddress
  readonly pid: number
  /** Waits for the turn to repeat a query that was lost with an earlier engine. @throws Error if this engine ends meanwhile */
  takeTurn(signal: AbortSignal): Promise<EngineLease>
}

/** One client's use of an embedded engine. The engine process lives as long as any client uses it. */
export interface EmbeddedEngine {
  readonly directory: string
  /**
   * Returns the engine's current address. If the engine has died, starts or joins another engine on the same directory.
   * @throws ConfigurationError
   */
  endpoint(signal: AbortSignal): Promise<EngineEndpoint>
  /** Stops using the engine. Removes the directory of a private engine once the engine has stopped. */
  close(): Promise<void>
}

export interface OpenEngineOptions {
  /** The data folder, or `memory` for a private engine in a temporary folder. */
  readonly directory: string | 'memory'
  /** The time limit of a read, 30 s by default. An engine that is already running keeps its own limit. */
  readonly readTimeoutMs?: number
  /** The program file of the engine's process. Default: `engine-process.ts`. Ignored if the engine is already running. */
  readonly program?: string
}

const PROGRAM = compiledEntry('clickhouse/engine/engine-process')

/**
 * A shell command that starts a program with a memory limit of the kernel. ClickHouse's own limits miss some allocations:
 * `printf('%2147483647d', n)` takes 4.4 GB more than they allow. With the kernel's limit, such an allocation fails with an
 * ordinary error. On macOS the limit has no effect. If it cannot be set, the program starts without it.
 */
const LIMITED = 'ulimit -d "$0" 2>/dev/null; exec "$@"'

/**
 * Joins the engine of a directory, or starts one. If two callers start an engine at the same time, only one engine gets the
 * kernel's lock on the data, and the other caller joins that one.
 * @throws ConfigurationError with advice, for example if chDB is not installed, or the folder is not writable
 */
export async function openEmbeddedEngine(options: OpenEngineOptions, signal: AbortSignal): Promise<EmbeddedEngine> {
  findChdb()
  const temporary = options.directory === 'memory'
  const directory = temporary ? await temporaryDirectory() : resolve(options.directory)
  const start: EngineOptions = {
    directory,
    temporary,
    readerSeconds: Math.ceil((options.readTimeoutMs ?? CLICKHOUSE_LIMITS.query.timeoutMs) / 1000),
  }
  const program = options.program ?? PROGRAM
  let current = await joinOrStart(start, program, signal)
  let renewal: Promise<Joined> | undefined
  return {
    directory,
    async endpoint(endpointSignal) {
      if (!current.lease.held) {
        // Several callers may wait for the same start, so the signal of one caller must not stop it.
        renewal ??= joinOrStart(start, program, AbortSignal.timeout(2 * CLICKHOUSE_LIMITS.engine.startTimeoutMs)).finally(() => {
          renewal = undefined
        })
        current = await unlessAborted(renewal, endpointSignal)
      }
      return endpointOf(current.state)
    },
    async close() {
      current.lease.release()
      if (temporary) await removeWhenEnded(current.state, directory)
    },
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
  })
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Returns the memory limit of the engine's process, in bytes. */
function processMemoryBytes(): number {
  const { max_server_memory_usage, max_server_memory_usage_to_ram_ratio } = ENGINE_SERVER_SETTINGS
  const machine = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  const queries = Math.min(max_server_memory_usage, machine * max_server_memory_usage_to_ram_ratio)
  return queries + CLICKHOUSE_LIMITS.engine.processOverheadBytes
}

interface Joined {
  readonly state: EngineState
  readonly lease: EngineLease
}

async function joinOrStart(options: EngineOptions, program: string, signal: AbortSignal): Promise<Joined> {
  const deadline = Date.now() + CLICKHOUSE_LIMITS.engine.startTimeoutMs
  for (;;) {
    signal.throwIfAborted()
    const joined = await tryJoin(options.directory, signal)
    if (joined !== undefined) return joined
    signal.throwIfAborted()
    const outcome = await startProcess(options, program, signal)
    if (outcome.outcome === 'failed') throw cannotServe(options, outcome.message)
    if (outcome.outcome === 'taken' && Date.now() > deadline) {
      throw cannotServe(options, `${outcome.message}; another process holds it but does not answer`)
    }
    if (outcome.outcome === 'taken') await delay(CLICKHOUSE_LIMITS.engine.joinRetryMs, undefined, { signal })
  }
}

async function tryJoin(directory: string, signal: AbortSignal): Promise<Joined | undefined> {
  const state = await findEngine(directory, signal)
  if (state === undefined) return undefined
  try {
    return { state, lease: await takeLease(state, signal) }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/**
 * Starts the engine's process and reads the one line that it prints. The process gets a session of its own, so that Ctrl-C in the
 * terminal does not stop it.
 */
async function startProcess(options: EngineOptions, program: string, signal: AbortSignal): Promise<EngineStart> {
  const log = openLog(options)
  const engine = [process.execPath, program, JSON.stringify(options)]
  const child = spawn('/bin/sh', ['-c', LIMITED, String(Math.ceil(processMemoryBytes() / 1024)), ...engine], {
    detached: true,
    stdio: ['ignore', 'pipe', log],
    // The engine's process gets no other environment variables. SQL could read them, so none may contain a secret.
    env: {
      UV_THREADPOOL_SIZE: String(CLICKHOUSE_LIMITS.engine.threadPool),
      TZ: 'UTC',
      // Makes the allocator return freed memory to the system, so that only memory in use is subject to the limit. (Soon after a
      // peak of 3.8 GB, the process holds 0.6 GB.)
      JE_MALLOC_CONF: 'retain:false',
    },
  })
  closeSync(log)
  const { stdout } = child
  if (stdout === null) throw new Error('The engine process has no standard output')
  const giveUp = withTimeLimit(signal, CLICKHOUSE_LIMITS.engine.startTimeoutMs)
  try {
    return await new Promise<EngineStart>((resolveStart, reject) => {
      let text = ''
      stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.includes('\n')) resolveStart(engineStartSchema.parse(JSON.parse(text)))
      })
      child.once('error', error => resolveStart({ outcome: 'failed', message: errorMessage(error) }))
      child.once('exit', (code, killedBy) => {
        resolveStart({
          outcome: 'failed',
          message: `the engine process ended at its start (${killedBy ?? `status ${code}`}); see ${join(options.directory, ENGINE_PATHS.log)}`,
        })
      })
      giveUp.addEventListener('abort', () => reject(giveUp.reason), { once: true })
    })
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    stdout.destroy()
    child.unref()
  }
}

function openLog(options: EngineOptions): number {
  try {
    makeFolder(options.directory)
    return openSync(join(options.directory, ENGINE_PATHS.log), 'a', 0o600)
  } catch (error) {
    throw cannotServe(options, errorMessage(error))
  }
}

function cannotServe(options: EngineOptions, reason: string): ConfigurationError {
  return new ConfigurationError(
    `CLICKHOUSE_URL: the embedded ClickHouse engine cannot serve ${options.directory}: ${reason}. ` +
      'Use a folder that this user may write, on Linux with glibc or macOS, or name a ClickHouse server (http://user:password@host:8123).',
  )
}

function endpointOf(state: EngineState): EngineEndpoint {
  const { port, pid, passwords } = state
  const url = `http://127.0.0.1:${port}`
  return {
    reader: { url, username: 'reader', password: passwords.reader },
    writer: { url, username: 'owner', password: passwords.owner },
    pid,
    takeTurn: signal => takeLease(state, signal, '/engine/turn'),
  }
}

async function removeWhenEnded({ pid }: EngineState, directory: string): Promise<void> {
  const deadline = Date.now() + CLICKHOUSE_LIMITS.engine.leaseGraceMs + 5_000
  while (isAlive(pid) && Date.now() < deadline) await delay(CLICKHOUSE_LIMITS.engine.joinRetryMs)
  await rm(directory, { recursive: true, force: true })
}

/**
 * Returns the engine that serves a directory, or undefined if none runs. A state file alone is no proof, because a dead engine
 * may have left it behind.
 */
async function findEngine(directory: string, signal: AbortSignal): Promise<EngineState | undefined> {
  const state = await readState(directory)
  if (state === undefined || !(await proves(state, signal))) return undefined
  return state
}

async function readState(directory: string): Promise<EngineState | undefined> {
  try {
    const parsed = engineStateSchema.safeParse(JSON.parse(await readFile(join(directory, ENGINE_PATHS.state), 'utf8')))
    return parsed.data
  } catch {
    return undefined
  }
}

/**
 * Whether the program on the port proves that it is the engine. After an engine has died, another program may use its port, and
 * must not get a password.
 */
async function proves(state: EngineState, signal: AbortSignal): Promise<boolean> {
  const nonce = randomBytes(16).toString('hex')
  const expected = createHmac('sha256', state.proofKey).update(nonce).digest()
  try {
    const response = await fetch(`http://127.0.0.1:${state.port}/engine/proof?nonce=${nonce}`, {
      signal: withTimeLimit(signal, CLICKHOUSE_LIMITS.engine.proofMs),
    })
    const given = Buffer.from(await response.text(), 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  } catch {
    signal.throwIfAborted()
    return false
  }
}
