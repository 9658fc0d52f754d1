import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEmbeddedEngine } from '../../src/clickhouse/engine/open-embedded-engine.ts'
import { CLICKHOUSE_LIMITS } from '../../src/clickhouse/limits.ts'
import { openWarehouseOn } from '../../src/clickhouse/open-warehouse.ts'
import { createLogger } from '../../src/logger.ts'

export interface GrantedServer {
  /** CLICKHOUSE_URL of the one user. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts a ClickHouse whose one user has exactly what a users.xml says.
 * @param options.world statements that are run before, with all rights
 */
export async function startGrantedServer(options: {
  readonly world: readonly string[]
  readonly usersXml: string
}): Promise<GrantedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-granted-'))
  await fillWith(options.world, folder)
  const configFile = join(folder, 'config.xml')
  await writeFile(join(folder, 'users.xml'), options.usersXml)
  await writeFile(
    configFile,
    `<clickhouse><user_directories><users_xml><path>${folder}/users.xml</path></users_xml></user_directories></clickhouse>`,
  )
  const program = fileURLToPath(new URL('./granted-server.mjs', import.meta.url))
  const child = fork(program, [join(folder, 'data'), configFile], { execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', data => resolve(String(data).trim()))
    ended.then(([status]) => reject(new Error(`the granted server ended with status ${status}`)))
  })
  return {
    url: `http://clew_reader:secret-enough@127.0.0.1:${port}`,
    async close() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The engine's folder `data` below the one that it serves is an ordinary one of ClickHouse's. */
async function fillWith(world: readonly string[], directory: string): Promise<void> {
  const signal = AbortSignal.timeout(CLICKHOUSE_LIMITS.engine.startTimeoutMs)
  const engine = await openEmbeddedEngine({ directory }, signal)
  const { pid } = await engine.endpoint(signal)
  const { maxBytes, timeoutMs } = CLICKHOUSE_LIMITS.query
  const warehouse = await openWarehouseOn(engine, {
    database: 'default',
    maxBytes,
    timeoutMs,
    logger: createLogger({ level: 'silent' }),
  })
  try {
    for (const sql of world) await warehouse.write({ sql }, signal)
  } finally {
    await warehouse.close()
    await engine.close()
  }
  // The folder is locked until that process has ended.
  while (isAlive(pid)) await new Promise(resolve => setTimeout(resolve, 50))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
