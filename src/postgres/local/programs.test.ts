import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { debianPostgres, debianVersion, firstThatRuns } from './programs.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-programs-'))
  // The server's user must reach it.
  await chmod(folder, 0o755)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Installs a version whose programs end with this code. */
async function install(version: string, code = 0): Promise<void> {
  const programs = join(folder, version, 'bin')
  await mkdir(programs, { recursive: true })
  for (const name of ['initdb', 'postgres']) await writeFile(join(programs, name), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 })
}

describe("Debian's Postgres", () => {
  it('is listed with the newest version first, by number', async () => {
    for (const version of ['9', '17', '15', 'common']) await install(version)
    expect(await debianPostgres(folder)).toEqual([17, 15, 9].map(version => debianVersion(version, folder)))
  })

  it('is empty where it is not installed', async () => {
    expect(await debianPostgres(join(folder, 'nothing'))).toEqual([])
  })
})

describe('the Postgres that is taken', () => {
  it('is the first one that runs', async () => {
    await install('18', 1)
    await install('17')
    await install('16')
    expect(await firstThatRuns(await debianPostgres(folder))).toEqual(debianVersion(17, folder))
  })

  it('is none if no one runs', async () => {
    await install('18', 1)
    expect(await firstThatRuns([...(await debianPostgres(folder)), debianVersion(15, folder)])).toBeUndefined()
  })
})
