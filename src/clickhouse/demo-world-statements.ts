import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The SQL that makes the demo's world, in the order in which it must run. */
export interface DemoWorldStatements {
  /** Run in the database under its working name: tables and rows. */
  readonly build: readonly string[]
  /** Run once the database has its final name, which views keep. */
  readonly views: readonly string[]
  /** Tells one generator from another: a world made by other SQL is stale. */
  readonly generator: string
}

const BUILD_FILES = ['1-network.sql', '2-validators.sql', '3-users.sql', '4-multicast.sql', '5-telemetry.sql']
// The same from src/clickhouse and from dist/clickhouse.
const FOLDER = new URL('../../demo/world/', import.meta.url)

/** Reads `demo/world/*.sql`. A statement ends with a semicolon at the end of a line. */
export function readDemoWorldStatements(): DemoWorldStatements {
  const build = BUILD_FILES.map(readSql)
  const views = readSql('views.sql')
  return {
    build: build.flatMap(splitStatements),
    views: splitStatements(views),
    generator: createHash('sha256')
      .update([...build, views].join('\n'))
      .digest('hex')
      .slice(0, 12),
  }
}

/** Vulnerabilities, for a database of their own. */
export function readDemoSecurityStatements(): readonly string[] {
  return splitStatements(readSql('security.sql'))
}

/** Rows that a pipeline's input gets after the pipeline has run, for the database of the world. */
export function readDemoDriftStatements(): readonly string[] {
  return splitStatements(readSql('drift.sql'))
}

function readSql(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8')
}

/** The statements of a text: each ends with a semicolon at the end of a line; whole-line comments are left out. */
export function splitStatements(sql: string): string[] {
  return sql
    .split(/;\s*\n/)
    .map(statement => statement.replace(/^--.*\n/gm, '').trim())
    .filter(statement => statement !== '')
}
