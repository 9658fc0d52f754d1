import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../src/base/logger.ts'
import { compiledEntry } from '../../src/base/package-files.ts'
import { openEmbeddedEngine } from '../../src/clickhouse/engine/open-embedded-engine.ts'
import { CLICKHOUSE_LIMITS } from '../../src/clickhouse/limits.ts'
import { openWarehouseOn } from '../../src/clickhouse/open-warehouse.ts'

export interface GrantedServer {
  /** The CLICKHOUSE_URL for the server's only user. */
  readonly url: string
  /** The process id of the server. It changes with each restart. */
  readonly pid: number
  /** Ends the process if it is running. Then starts another one on the same data and at the same address. */
  restart(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a ClickHouse whose single user has exactly the rights of a users.xml.
 * @param options.world statements to run first, with all rights
 * @param options.serverXml additional elements of the server's configuration
 * @param options.files files in the server's working folder, by name
 */
export async function startGrantedServer(options: {
  readonly world: readonly string[]
  readonly usersXml: string
  readonly serverXml?: string
  readonly files?: Readonly<Record<string, string>>
}): Promise<GrantedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-granted-'))
  await fillWith(options.world, folder)
  for (const [name, content] of Object.entries(options.files ?? {})) await writeFile(join(folder, name), content)
  await writeFile(join(folder, 'users.xml'), options.usersXml)
  await writeFile(
    join(folder, 'config.xml'),
    `<clickhouse><user_directories><users_xml><path>${folder}/users.xml</path></users_xml></user_directories>${options.serverXml ?? ''}</clickhouse>`,
  )
  let current = await startProcess(folder, '0')
  const end = async () => {
    current.child.kill('SIGKILL')
    await current.ended
  }
  const { port } = current
  return {
    url: `http://clew_reader:secret-enough@127.0.0.1:${port}`,
    get pid() {
      return current.child.pid ?? 0
    },
    async restart() {
      await end()
      current = await startProcess(folder, port)
    },
    async close() {
      await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startProcess(folder: string, port: string) {
  const child = fork(compiledEntry('test/granted-server-process'), [join(folder, 'data'), join(folder, 'config.xml'), port], {
    cwd: folder,
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const servedAt = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', data => resolve(String(data).trim()))
    ended.then(([status]) => reject(new Error(`the granted server ended with status ${status}`)))
  })
  return { child, ended, port: servedAt }
}

/** Creates the test data by running these statements. The data are then in a folder that ClickHouse itself can use. */
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
  // The data folder stays locked until that process has ended.
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
