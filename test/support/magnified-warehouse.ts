import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { z } from 'zod'

const documentSchema = z.looseObject({
  meta: z.array(z.looseObject({ name: z.string() })),
  data: z.array(z.array(z.unknown())),
})
/** Fields in ClickHouse's system tables that contain the sizes of tables and columns. */
const SIZES: readonly string[] = ['total_rows', 'total_bytes', 'bytes']

/**
 * A proxy that multiplies the reported size of each table. Plans, rows and errors come from the engine.
 * @param url the CLICKHOUSE_URL of that engine
 */
export async function startMagnifiedWarehouse(
  url: string,
  times: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const behind = new URL(url)
  const server = createServer(async (request, response) => {
    const body = await bytesOf(request)
    const target = new URL(request.url ?? '/', behind.origin)
    const answer = await fetch(target, {
      method: request.method ?? 'POST',
      headers: headersOf(request),
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    }).catch(() => undefined)
    if (answer === undefined) return void response.destroy()
    const text = await answer.text()
    const isAboutSizes = answer.ok && /FROM system\.(?:tables|columns)/.test(`${body}${target.search}`)
    const headers = [...answer.headers].filter(
      ([name]) => !/^(?:content-length|content-encoding|transfer-encoding|connection|keep-alive)$/.test(name),
    )
    response.writeHead(answer.status, Object.fromEntries(headers))
    response.end(isAboutSizes ? magnified(text, times) : text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://${behind.username}:${behind.password}@127.0.0.1:${port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function magnified(text: string, times: number): string {
  const document = documentSchema.safeParse(JSON.parse(text)).data
  if (document === undefined) return text
  const sizes = document.meta.map(({ name }) => SIZES.includes(name))
  const data = document.data.map(row =>
    row.map((cell, index) => (sizes[index] && cell !== null ? String(BigInt(String(cell)) * BigInt(times)) : cell)),
  )
  return JSON.stringify({ ...document, data })
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces)
}

function headersOf({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value !== 'string' || /^(?:host|content-length|connection|transfer-encoding|accept-encoding)$/.test(name)
      ? []
      : [[name, value] as [string, string]],
  )
}
