import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CheckResult } from '../../src/base/check.ts'
import { checkPostgres } from '../../src/postgres/check-postgres.ts'
import { PostgresConnections } from '../../src/postgres/connection.ts'
import { POSTGRES_LIMITS } from '../../src/postgres/limits.ts'
import { type PostgresServer, runSql, startPostgres, VERSIONS } from '../support/postgres.ts'

async function checked(url: string): Promise<readonly Omit<CheckResult, 'part'>[]> {
  const results: Omit<CheckResult, 'part'>[] = []
  const connections = new PostgresConnections(url)
  await checkPostgres({ connections, schemas: ['public'] }, result => void results.push(result), AbortSignal.timeout(20_000))
  await connections.close()
  return results
}

describe.each(VERSIONS)('deploy/postgres/reader.sql on Postgres %s', version => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ version })
  })
  afterAll(() => server?.stop())
  const asReader = (sql: string) => runSql(server.url, sql)

  it('creates a role that may only log in and read', async () => {
    const [role] = await runSql(server.adminUrl, "SELECT * FROM pg_roles WHERE rolname = 'clew_reader'")
    expect(role).toMatchObject({
      rolcanlogin: true,
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      rolinherit: false,
    })
    await expect(asReader('CREATE TABLE public.x (id int4)')).rejects.toThrow()
    await expect(asReader('BEGIN READ WRITE; CREATE TABLE public.x (id int4)')).rejects.toThrow('permission denied')
    await expect(asReader("SELECT pg_read_file('/etc/passwd')")).rejects.toThrow('permission denied')
    await expect(asReader("COPY (SELECT 1) TO PROGRAM 'true'")).rejects.toThrow(/permission denied|pg_execute_server_program/)
  })

  it('sets the limits that Clew counts on', async () => {
    const { lockMs, timeoutMs } = POSTGRES_LIMITS.query
    const wanted = {
      default_transaction_read_only: 'on',
      statement_timeout: `${timeoutMs / 1_000}s`,
      lock_timeout: `${lockMs / 1_000}s`,
      idle_in_transaction_session_timeout: '1min',
      search_path: '""',
      temp_file_limit: '1GB',
      log_min_messages: 'panic',
      log_min_error_statement: 'panic',
    }
    const names = Object.keys(wanted)
    const [found] = await asReader(`SELECT ${names.map(name => `current_setting('${name}') AS ${name}`).join(', ')}`)
    expect(found).toEqual(wanted)
  })

  it('keeps what only a superuser may lift', async () => {
    for (const setting of ['temp_file_limit', 'log_min_messages', 'log_min_error_statement']) {
      await expect(asReader(`SET ${setting} TO DEFAULT`)).rejects.toThrow('permission denied')
    }
  })

  it('creates a role that passes `clew doctor`, which another one does not', async () => {
    await runSql(server.adminUrl, 'CREATE TABLE public.seen (id int4); GRANT SELECT ON public.seen TO clew_reader')
    expect(await checked(server.url)).toEqual([
      expect.objectContaining({ check: 'answer', state: 'ok' }),
      { check: 'rights', state: 'ok', found: 'the role clew_reader may only read' },
      { check: 'tables', state: 'ok', found: 'public: 1 table' },
    ])
    expect((await checked(server.adminUrl)).map(({ check, state }) => `${check} ${state}`)).toEqual([
      'answer ok',
      'rights failed',
      'log warning',
      'disk warning',
      'tables ok',
    ])
    await runSql(server.adminUrl, 'GRANT UPDATE ON public.seen TO clew_reader')
    expect(await checked(server.url)).toContainEqual(
      expect.objectContaining({ check: 'rights', state: 'failed', found: 'the role clew_reader may change seen' }),
    )
    await runSql(server.adminUrl, 'DROP TABLE public.seen')
    expect(await checked(server.url.replace(new URL(server.url).password, 'wrong'))).toEqual([
      expect.objectContaining({ check: 'answer', state: 'failed', found: expect.stringMatching(/refused the user/) }),
    ])
  })

  it('can be applied again', async () => {
    const sql = await readFile('deploy/postgres/reader.sql', 'utf8')
    await runSql(server.adminUrl, 'CREATE TABLE public.later (id int4)')
    await runSql(server.adminUrl, sql.replace("'replace-this-password'", `'${new URL(server.url).password}'`))
    expect(await asReader('SELECT * FROM public.later')).toEqual([])
  })
})
