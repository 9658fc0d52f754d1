import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { ConfigurationError, errorMessage } from '../../base/errors.ts'
import { packageFile } from '../../base/package-files.ts'
import type { PostgresPrograms } from './programs.ts'
import { runSql } from './run-sql.ts'
import { serverUser } from './server-user.ts'

/** A private Postgres server. It stops when this process ends, however that happens. */
export interface LocalPostgres {
  /** The address as the role of deploy/postgres/reader.sql, to the database `postgres`. */
  readonly url: string
  /** The address as a superuser. */
  readonly adminUrl: string
  /** Gives the reader's role a password, and the right to read a schema. Its tables must be there. */
  createReader(schema: string): Promise<void>
  /** Stops the server as an administrator would, and keeps its data. */
  shutDown(): Promise<void>
  /** Starts it again at the same address. */
  restart(): Promise<void>
  /** Stops the server and removes its data. */
  close(): Promise<void>
}

const ADMIN = 'clew_admin'
const READER = 'clew_reader'

/**
 * Starts an empty server on a free port of 127.0.0.1 with a random password. Its data are temporary: another user than root must
 * reach them, and nothing needs them later.
 * @throws ConfigurationError if it does not start
 */
export async function startLocalPostgres(programs: PostgresPrograms): Promise<LocalPostgres> {
  const password = randomBytes(18).toString('hex')
  const folder = await mkdtemp(join(tmpdir(), 'clew-postgres-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await initialize(programs.initdb, folder, password)
    const port = await freePort()
    let server = await startServer(programs.postgres, folder, port)
    const shutDown = () => stopServer(server)
    const urlOf = (role: string) => `postgres://${role}:${password}@127.0.0.1:${port}/postgres`
    const adminUrl = urlOf(ADMIN)
    return {
      url: urlOf(READER),
      adminUrl,
      createReader: schema => createReader(adminUrl, password, schema),
      shutDown,
      async restart() {
        await shutDown()
        server = await startServer(programs.postgres, folder, port)
      },
      async close() {
        await shutDown()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw new ConfigurationError(`The private Postgres did not start: ${errorMessage(error)}`, { cause: error })
  }
}

/** Applies the file that operators apply, with its two placeholders filled in. */
async function createReader(adminUrl: string, password: string, schema: string): Promise<void> {
  const sql = await readFile(packageFile('deploy', 'postgres', 'reader.sql'), 'utf8')
  await runSql(adminUrl, sql.replace("'replace-this-password'", `'${password}'`).replaceAll('SCHEMA public', `SCHEMA ${schema}`))
}

async function initialize(initdb: string, folder: string, password: string): Promise<void> {
  const user = serverUser()
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password)
  await chmod(folder, 0o700)
  if (user !== undefined) for (const path of [passwordFile, folder]) await chown(path, user.uid, user.gid)
  const settings = [`--username=${ADMIN}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C']
  await promisify(execFile)(initdb, [`--pgdata=${dataOf(folder)}`, '--no-sync', ...settings], { ...user, cwd: folder })
  await rm(passwordFile)
}

function dataOf(folder: string): string {
  return join(folder, 'data')
}

/**
 * Runs the server until standard input brings a line or ends. It ends with this process, even if that is killed; nobody would
 * remove the data then, so the script does. SIGINT is Postgres's fast shutdown. The script's own standard error is closed, so
 * that it ends with the server's.
 */
const SUPERVISE = `
folder=$1; shift
"$@" & server=$!
exec 2>/dev/null
read -r line && keep=yes
kill -INT $server
wait $server
[ "$keep" ] || rm -rf "$folder"
`

async function startServer(postgres: string, folder: string, port: number): Promise<ChildProcess> {
  // Everything is local and temporary: no Unix socket, and no waiting for the disk.
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off']
  const server = [postgres, '-D', dataOf(folder), '-p', String(port), ...settings]
  const supervisor = spawn('/bin/sh', ['-c', SUPERVISE, 'sh', folder, ...server], {
    ...serverUser(),
    cwd: folder,
    // Ctrl-C at a terminal goes to a whole group. The server stops only after those that use it.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const said: string[] = []
  for await (const line of createInterface(supervisor.stderr)) {
    if (line.includes('ready to accept connections')) {
      // Whatever it says from now on is read and dropped, so that the pipe never fills up.
      supervisor.stderr.resume()
      return supervisor
    }
    said.push(line)
  }
  await stopServer(supervisor)
  throw new Error(said.slice(-3).join(' | '))
}

async function stopServer(supervisor: ChildProcess): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return
  const gone = once(supervisor, 'exit')
  supervisor.stdin?.write('stop\n')
  await gone
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
