import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'

/** A `clickhouse-client` that says what it was called with, and what it was to run. */
const folder = mkdtempSync(join(tmpdir(), 'clew-create-reader-'))
const client = join(folder, 'clickhouse-client')
writeFileSync(client, '#!/bin/sh\necho "called with: $*"\ncat\n')
chmodSync(client, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('deploy/clickhouse/create-reader.sh', () => {
  it('applies reader.sql with the hash of the password, for the databases that are asked about', () => {
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
