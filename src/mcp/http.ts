import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CancelledNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { SIZES } from '../base/sizes.ts'
import type { McpCaller, McpParts } from './parts.ts'
import { RunningCalls } from './running-calls.ts'
import { createMcpServer, type McpServerDeps } from './server.ts'

/** Answers a request of a caller whom somebody else has authenticated. The parts are those for this caller. */
export type McpHandler = (request: Request, caller: McpCaller, parts: McpParts) => Promise<Response>

/**
 * Serves clients over streamable HTTP, without sessions: any process may answer any request. A client that disconnects does not
 * stop its calls. A cancellation does, if it reaches the process of the call.
 */
export function createMcpHandler(deps: Omit<McpServerDeps, 'calls' | 'parts'>): McpHandler {
  const calls = new RunningCalls()
  return async (request, caller, parts) => {
    // Without a session, there is nothing that the server could send by itself (GET) or end (DELETE).
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { Allow: 'POST' } })
    const server = createMcpServer({ ...deps, parts, calls }, caller)
    // The call runs in the server of another request, so the SDK does not find it.
    server.server.setNotificationHandler(CancelledNotificationSchema, ({ params: { requestId } }) => {
      if (requestId !== undefined) calls.cancel(caller.id, requestId)
    })
    const transport = new WebStandardStreamableHTTPServerTransport({ maxRequestBodySize: SIZES.bodyBytes })
    await server.connect(transport)
    return transport.handleRequest(request)
  }
}
