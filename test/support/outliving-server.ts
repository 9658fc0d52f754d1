import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Functions that are called for each statement. They may delay the statement. */
export interface StatementWatcher {
  /** Called with each statement before the server gets it. */
  arrived(statement: string, at: number): void | Promise<void>
  /** Called when the server has completed the statement, before the client gets the answer. */
  done(statement: string, at: number): void | Promise<void>
}

export interface OutlivingServer {
  /** The address of the proxy, with the credentials of the server behind it. */
  readonly url: string
  /** Resolves when all statements that were sent have ended. */
  settled(): Promise<void>
  close(): Promise<void>
}

/**
 * Makes the embedded engine behave as a server: a statement that has arrived continues without its sender. Statements are counted from 1.
 */
export async function startOutlivingServer(engineUrl: string, watcher: StatementWatcher): Promise<OutlivingServer> {
  const engine = new URL(engineUrl)
  const running = new Set<Promise<void>>()
  let count = 0
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('error', () => {})
    outgoing.on('error', () => {})
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const statement = new URL(incoming.url ?? '/', engine).searchParams.get('query') ?? body.toString()
      count += 1
      const at = count
      const work = (async () => {
        await watcher.arrived(statement, at)
        const forwarded = request({
          host: engine.hostname,
          port: engine.port,
          path: incoming.url,
          method: incoming.method,
          headers: incoming.headers,
        })
        forwarded.end(body)
        const [answer] = await once(forwarded, 'response')
        const parts: Buffer[] = []
        for await (const part of answer) parts.push(part)
        await watcher.done(statement, at)
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(parts))
      })().catch(() => void outgoing.destroy())
      running.add(work)
      work.finally(() => running.delete(work))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${engine.username}:${engine.password}@127.0.0.1:${port}`,
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
