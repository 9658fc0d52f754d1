import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../src/base/logger.ts'
import { findRedisServer } from '../../src/store/redis/binary.ts'

/** A Redis server for one test, with settings of its own. It can be stopped and started again with its data, at the same address. */
export interface RedisProcess {
  readonly url: string
  start(): Promise<void>
  /** Kills the server, as a crash would. */
  kill(): Promise<void>
  /** From now on, the server still accepts connections and commands, but answers none. */
  silence(): void
  /** The server answers again. It also answers the commands that arrived in the meantime. */
  wake(): void
  close(): Promise<void>
}

/** @param more additional settings, as arguments of redis-server */
export async function createRedisProcess(more: readonly string[] = []): Promise<RedisProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'clew-redis-process-'))
  const port = await freePort()
  const settings = [
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--dir',
    directory,
    '--appendonly',
    'yes',
    '--save',
    '',
    ...more,
  ]
  const path = process.env.PATH ?? ''
  const program = await findRedisServer({
    path,
    directory,
    mayInstall: process.getuid?.() === 0,
    logger: createLogger({ level: 'silent' }),
  })
  let server: ChildProcess | undefined

  async function kill(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const started = spawn(program, settings, { stdio: ['ignore', 'pipe', 'inherit'] })
      server = started
      for await (const output of started.stdout) if (String(output).includes('Ready to accept connections')) break
    },
    kill,
    silence: () => void server?.kill('SIGSTOP'),
    wake: () => void server?.kill('SIGCONT'),
    async close() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
