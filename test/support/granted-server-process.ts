// A ClickHouse "server" whose single user has exactly the rights and settings of a users.xml. It is the embedded engine with the parts of the HTTP
// interface that Clew's client needs. It is a separate process, because the engine cannot be unloaded. Arguments: the data folder, the config file,
// the port (0 for any).
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorMessage } from '../../src/base/errors.ts'
import { loadChdbNative } from '../../src/clickhouse/engine/chdb-native.ts'

const [, , directory = '', configFile = '', port = '0'] = process.argv
const chdb = loadChdbNative()
// This session keeps the data folder open between queries.
const keeper = chdb.CreateConnection(directory, [`--config-file=${configFile}`])
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const named = (text: string) => `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const url = new URL(request.url ?? '/', 'http://engine')
  // Each query has a session of its own. After a failed query, the session's next result would begin with the failed one's output.
  const session = chdb.CreateConnection(directory)
  try {
    const database = url.searchParams.get('database') ?? request.headers['x-clickhouse-database']?.toString()
    const roles = url.searchParams.getAll('role')
    const settings = [...url.searchParams].filter(([name]) => !['query_id', 'database', 'default_format', 'role'].includes(name))
    const preparation = [
      ...(database === undefined ? [] : [`USE ${named(database)}`]),
      ...(roles.length === 0 ? [] : [`SET ROLE ${roles.map(named).join(', ')}`]),
      ...settings.map(([name, value]) => `SET ${name} = ${quoted(value)}`),
    ]
    if (preparation.length > 0) await chdb.QueryAsyncConnection(session, preparation.join('; '), 'Null')
    const { bytes } = await chdb.QueryAsyncConnection(session, Buffer.concat(chunks).toString(), 'TabSeparated')
    response.setHeader('x-clickhouse-format', 'JSONCompact').end(Buffer.from(bytes))
  } catch (error) {
    const message = errorMessage(error)
    const code = /Code: (\d+)/.exec(message)?.[1] ?? '1002'
    response.writeHead(500, { 'x-clickhouse-exception-code': code }).end(message)
  } finally {
    chdb.CloseConnection(session)
  }
})
server.once('close', () => chdb.CloseConnection(keeper))
server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
// Nothing needs to be saved, because the test removes the folder afterwards.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
