import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'

/** A fake `clickhouse-client` that prints its arguments and its input. */
const folder = mkdtempSync(join(tmpdir(), 'clew-create-reader-'))
const client = join(folder, 'clickhouse-client')
writeFileSync(client, '#!/bin/sh\necho "called with: $*"\ncat\n')
chmodSync(client, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('deploy/clickhouse/create-reader.sh', () => {
  it("applies reader.sql with the password's hash, for the configured databases", () => {
    const password = `it's "quoted" & $HOME`
    const output = run({ CLEW_READER_PASSWORD: password, CLICKHOUSE_DATABASE: 'sales, we`ird', CLICKHOUSE_PASSWORD: 'admin' })
    expect(output).toMatch(/^called with: --user default --password admin\n/)
    expect(output).toContain(`BY '${createHash('sha256').update(password).digest('hex')}'`)
    expect(output).not.toContain(password)
    expect(output).not.toMatch(/0{64}/)
    expect(output.trimEnd().split('\n').slice(-4)).toEqual([
      'CREATE DATABASE IF NOT EXISTS `sales`;',
      'GRANT SELECT ON `sales`.* TO clew_questions;',
      'CREATE DATABASE IF NOT EXISTS `we\\`ird`;',
      'GRANT SELECT ON `we\\`ird`.* TO clew_questions;',
    ])
    expect(output).not.toContain('GRANT SELECT ON default.*')
  })

  it('changes nothing else of reader.sql', () => {
    const kept = run({ CLEW_READER_PASSWORD: 'password' }).split('\n')
    const lines = readFileSync('deploy/clickhouse/reader.sql', 'utf8').trimEnd().split('\n')
    expect(lines.filter(line => !kept.includes(line))).toEqual([
      'GRANT SELECT ON default.* TO clew_questions;',
      expect.stringContaining('sha256_hash'),
    ])
  })

  it("reads passwords from files, and creates the pipelines' writer if it has a password", () => {
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    const hash = (password: string) => createHash('sha256').update(password).digest('hex')
    const output = run({
      CLEW_READER_PASSWORD_FILE: file('reader', 'of the reader'),
      CLEW_WRITER_PASSWORD_FILE: file('writer', 'of the writer'),
      CLICKHOUSE_PASSWORD_FILE: file('admin', 'admin'),
      CLICKHOUSE_DATABASE: 'sales',
    })
    expect(output).toMatch(/^called with: --user default --password admin\n/)
    expect(output).toContain(`BY '${hash('of the reader')}'`)
    expect(output).toContain(`CREATE USER OR REPLACE clew_writer IDENTIFIED WITH sha256_hash BY '${hash('of the writer')}';`)
    expect(output).toContain('GRANT ALL ON pipelines.* TO clew_writer;')
    expect(output).toContain('GRANT SELECT ON `sales`.* TO clew_writer;')
    expect(run({ CLEW_READER_PASSWORD: 'password' })).not.toContain('clew_writer')
  })

  it('does nothing without a password', () => {
    expect(() => run({})).toThrow(/CLEW_READER_PASSWORD/)
  })
})

function run(environment: Readonly<Record<string, string>>): string {
  return execFileSync('bash', ['deploy/clickhouse/create-reader.sh'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: `${folder}:${process.env.PATH}`, CLEW_READER_SQL: 'deploy/clickhouse/reader.sql', ...environment },
  })
}
