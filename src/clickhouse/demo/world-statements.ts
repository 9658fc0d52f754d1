import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageFile } from '../../base/package-files.ts'

/** The SQL statements that generate the demo data, in the order in which to run them. */
export interface DemoWorldStatements {
  /** Statements that create tables and rows, to run in a database with a temporary name. */
  readonly build: readonly string[]
  /**
   * Statements that create views. They must run after the database has its final name, because a view stores the name that the
   * database has then.
   */
  readonly views: readonly string[]
  /** A hash of the SQL files. Existing data with another hash are generated again. */
  readonly generator: string
}

const BUILD_FILES = ['1-network.sql', '2-validators.sql', '3-users.sql', '4-multicast.sql', '5-telemetry.sql']

/** Reads the SQL files in `demo/world/` and splits them into statements. */
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

/** Reads the statements that create the demo's tables about vulnerabilities. These tables are in a database of their own. */
export function readDemoSecurityStatements(): readonly string[] {
  return splitStatements(readSql('security.sql'))
}

/**
 * Reads the statements that change the input rows of a demo pipeline after its run. The pipeline's result is then out of date.
 */
export function readDemoDriftStatements(): readonly string[] {
  return splitStatements(readSql('drift.sql'))
}

function readSql(file: string): string {
  return readFileSync(packageFile('demo', 'world', file), 'utf8')
}

/** Splits an SQL text into statements. Each statement ends with a semicolon at the end of a line. Comment lines are dropped. */
export function splitStatements(sql: string): string[] {
  return sql
    .split(/;\s*\n/)
    .map(statement => statement.replace(/^--.*\n/gm, '').trim())
    .filter(statement => statement !== '')
}
