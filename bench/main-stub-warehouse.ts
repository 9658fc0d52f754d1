import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

// A caching warehouse. It forwards a new query to the real one and keeps the answer. From then on it answers from memory, even if the question's
// number (`INTERVAL n DAY`) differs. `main-stub-warehouse.ts URL` prints {"url": …}. It ends when its standard input ends.

interface Kept {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Replaces the question's number in a query, so that queries with different numbers share one stored answer. */
const NUMBER = '\u{1}'
const real = new URL(process.argv[2] ?? '')
const kept = new Map<string, Kept>()

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.writeHead(502).end(String(error))
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const url = new URL(real)
url.port = String(typeof address === 'object' && address !== null ? address.port : 0)
process.stdout.write(`${JSON.stringify({ url: url.href })}\n`)
process.stdin.resume()
process.stdin.once('end', () => {
  server.close()
  server.closeAllConnections()
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const body = Buffer.concat(pieces).toString()
  const asked = new URL(request.url ?? '/', real)
  asked.searchParams.delete('query_id')
  const said = `${decodeURIComponent(asked.search)}\n${body}`
  const number = /INTERVAL\+?\s*(\d+)\+?\s*DAY|toIntervalDay\((\d+)\)/.exec(said)?.slice(1).find(Boolean)
  const key = `${request.method} ${asked.pathname}\n${number === undefined ? said : said.replaceAll(number, NUMBER)}`
  let found = kept.get(key)
  if (found === undefined) {
    found = await askReal(request, asked, body, number)
    if (found.status === 200) kept.set(key, found)
  }
  response.writeHead(found.status, found.headers)
  response.end(number === undefined ? found.body : found.body.replaceAll(NUMBER, number))
}

async function askReal(request: IncomingMessage, asked: URL, body: string, number: string | undefined): Promise<Kept> {
  const target = new URL(`${asked.pathname}${asked.search}`, `http://${real.host}`)
  const method = request.method ?? 'GET'
  const response = await fetch(target, {
    method,
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(
        (header): header is [string, string] =>
          typeof header[1] === 'string' && !/^(host|connection|content-length|transfer-encoding)$/.test(header[0]),
      ),
    ),
    ...(method === 'GET' ? {} : { body }),
  })
  const text = await response.text()
  const headers = Object.fromEntries([...response.headers].filter(([name]) => /^(content-type|x-clickhouse-)/.test(name)))
  return { status: response.status, headers, body: number === undefined ? text : text.replaceAll(number, NUMBER) }
}
