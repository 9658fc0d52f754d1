import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { SIZES } from '../base/sizes.ts'
import type { McpCaller } from './parts.ts'
import { createMcpServer, type McpServerDeps } from './server.ts'

/** Serves one client over standard input and output, until the client closes them or the signal aborts. */
export async function serveStdio(
  deps: McpServerDeps,
  caller: McpCaller,
  { input, output, signal }: { readonly input: Readable; readonly output: Writable; readonly signal: AbortSignal },
): Promise<void> {
  const server = createMcpServer(deps, caller)
  const transport = new StdioServerTransport(input, output, { maxBufferSize: SIZES.bodyBytes })
  const ended = new AbortController()
  const end = () => ended.abort()
  server.server.onclose = end
  server.server.onerror = error => deps.logger.warn({ err: error }, 'a message over MCP was not understood')
  for (const event of ['end', 'close'] as const) input.once(event, end)
  // The client may end before it has read everything.
  output.on('error', end)
  signal.addEventListener('abort', end, { once: true })
  await server.connect(transport)
  if (!ended.signal.aborted && !signal.aborted) await once(ended.signal, 'abort')
  await server.close()
}
