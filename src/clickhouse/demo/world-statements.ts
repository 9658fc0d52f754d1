import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageFile } from '../../base/package-files.ts'

/** The SQL that generates the demo data, in order. */
export interface DemoWorldStatements {
  /** Creates tables and rows, in the database under its temporary name. */
  readonly build: readonly string[]
  /** Run after the database has its final name, since views keep it. */
  readonly views: readonly string[]
  /** Identifies the SQL. Data from other SQL is stale. */
  readonly generator: string
}

const BUILD_FILES = ['1-network.sql', '2-validators.sql', '3-users.sql', '4-multicast.sql', '5-telemetry.sql']

/** Reads `demo/world/*.sql`. */
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

/** Reads the SQL of the vulnerabilities, which have their own database. */
export function readDemoSecurityStatements(): readonly string[] {
  return splitStatements(readSql('security.sql'))
}

/** Reads rows that a pipeline's input gains after the pipeline has run. */
export function readDemoDriftStatements(): readonly string[] {
  return splitStatements(readSql('drift.sql'))
}

function readSql(file: string): string {
  return readFileSync(packageFile('demo', 'world', file), 'utf8')
}

/** Splits a text into statements. Each ends with a semicolon at the end of a line. Whole-line comments are dropped. */
export function splitStatements(sql: string): string[] {
  return sql
    .split(/;\s*\n/)
    .map(statement => statement.replace(/^--.*\n/gm, '').trim())
    .filter(statement => statement !== '')
}
