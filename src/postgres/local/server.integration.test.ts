import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { ConfigurationError } from '../../base/errors.ts'
import { compiledEntry } from '../../base/package-files.ts'
import { findPostgres } from './programs.ts'
import { runSql } from './run-sql.ts'
import { type LocalPostgres, startLocalPostgres } from './server.ts'

async function start(): Promise<LocalPostgres> {
  const programs = await findPostgres()
  if (programs === undefined) throw new Error('There is no Postgres here: run npm ci.')
  return startLocalPostgres(programs)
}

describe('a private Postgres', () => {
  it('lets the reader read the named schema, and nothing else', async () => {
    const server = await start()
    try {
      const tables =
        'CREATE SCHEMA shop; CREATE TABLE shop.a AS SELECT 1 AS one; CREATE SCHEMA other; CREATE TABLE other.b (id int)'
      await runSql(server.adminUrl, tables)
      await server.createReader('shop')
      expect(await runSql(server.url, 'SELECT one FROM shop.a')).toEqual([{ one: 1 }])
      await expect(runSql(server.url, 'SELECT id FROM other.b')).rejects.toMatchObject({ code: '42501' })
      await expect(runSql(server.url, 'DELETE FROM shop.a')).rejects.toMatchObject({ code: '25006' })
    } finally {
      await server.close()
    }
  })

  it('stops and starts again with its data at the same address, and leaves none at its end', async () => {
    const server = await start()
    const [settings] = await runSql(server.adminUrl, 'SHOW data_directory')
    await runSql(server.adminUrl, 'CREATE TABLE kept AS SELECT 7 AS seven')
    await server.shutDown()
    await expect(runSql(server.adminUrl, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await server.restart()
    expect(await runSql(server.adminUrl, 'SELECT seven FROM kept')).toEqual([{ seven: 7 }])
    await server.close()
    expect(existsSync(String(settings?.data_directory))).toBe(false)
  })

  it('ends with its process, even if that is killed, and leaves no data', async () => {
    const child = spawn(process.execPath, [compiledEntry('test/local-postgres-process')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface(child.stdout), 'line')
    const { url, folder } = z.object({ url: z.string(), folder: z.string() }).parse(JSON.parse(String(line)))
    expect(await runSql(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    child.kill('SIGKILL')
    const deadline = Date.now() + 30_000
    while (existsSync(folder) && Date.now() < deadline) await wait(50)
    expect(existsSync(folder)).toBe(false)
    await expect(runSql(url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('says what kept it from starting, and leaves no data', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-broken-'))
    try {
      await chmod(folder, 0o777)
      const initdb = join(folder, 'initdb')
      const postgres = join(folder, 'postgres')
      const asked = join(folder, 'asked')
      await writeFile(initdb, `#!/bin/sh\necho "$1" >${asked}\n`, { mode: 0o755 })
      await writeFile(postgres, '#!/bin/sh\necho "FATAL: no memory" >&2\nexit 1\n', { mode: 0o755 })
      const failure = await startLocalPostgres({ initdb, postgres }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ConfigurationError)
      expect(failure).toMatchObject({ message: 'The private Postgres did not start: FATAL: no memory' })
      const [, data = ''] = /^--pgdata=(.+)/.exec(await readFile(asked, 'utf8')) ?? []
      expect(data).toContain('clew-postgres-')
      expect(existsSync(dirname(data))).toBe(false)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
