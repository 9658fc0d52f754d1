import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageFile } from '../../base/package-files.ts'

/** The SQL statements that generate the demo data, in order. */
export interface DemoWorldStatements {
  /** Statements that create tables and rows. They run while the database has a temporary name. */
  readonly build: readonly string[]
  /** Statements that run once the database has its final name. A view keeps the database name that it was created with. */
  readonly views: readonly string[]
  /** A fingerprint of the SQL. Data with another fingerprint is out of date. */
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

/** Reads the SQL that creates the tables about vulnerabilities. They are in a separate database. */
export function readDemoSecurityStatements(): readonly string[] {
  return splitStatements(readSql('security.sql'))
}

/** Reads the SQL that changes a pipeline's input rows. Run it after the pipeline. */
export function readDemoDriftStatements(): readonly string[] {
  return splitStatements(readSql('drift.sql'))
}

function readSql(file: string): string {
  return readFileSync(packageFile('demo', 'world', file), 'utf8')
}

/** Splits a text into statements. A semicolon at the end of a line ends a statement. Comment lines are dropped. */
export function splitStatements(sql: string): string[] {
  return sql
    .split(/;\s*\n/)
    .map(statement => statement.replace(/^--.*\n/gm, '').trim())
    .filter(statement => statement !== '')
}
