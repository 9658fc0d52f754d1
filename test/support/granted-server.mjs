// A ClickHouse "server" whose one user has exactly the rights and settings of a users.xml: the embedded engine behind as much of the HTTP
// interface as Clew's client needs. A process of its own, since the engine cannot be unloaded. Arguments: the data folder, the config file.
import { createServer } from 'node:http'
import { Session } from 'chdb'

const [, , directory, configFile] = process.argv
const open = () => new Session(directory, { connectionArgs: [`--config-file=${configFile}`] })
// Keeps the folder open between queries.
open()
const quoted = text => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const url = new URL(request.url ?? '/', 'http://engine')
  // What a failed query had written would stand at the head of the session's next result: a session for each.
  const session = open()
  try {
    const database = url.searchParams.get('database') ?? request.headers['x-clickhouse-database']
    if (database !== undefined) await session.queryAsync(`USE \`${database}\``)
    const roles = url.searchParams.getAll('role')
    if (roles.length > 0) await session.queryAsync(`SET ROLE ${roles.map(role => `\`${role}\``).join(', ')}`)
    for (const [name, value] of url.searchParams) {
      if (['query_id', 'database', 'default_format', 'role'].includes(name)) continue
      await session.queryAsync(`SET ${name} = ${quoted(value)}`)
    }
    const result = await session.queryAsync(Buffer.concat(chunks).toString(), { format: 'TabSeparated' })
    response.setHeader('x-clickhouse-format', 'JSONCompact').end(Buffer.from(result.bytes()))
  } catch (error) {
    const code = /Code: (\d+)/.exec(error.message)?.[1] ?? '1002'
    response.writeHead(500, { 'x-clickhouse-exception-code': code }).end(error.message)
  } finally {
    session.close()
  }
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
// Nothing has to be written on the way out: the folder goes with the test that made it.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
