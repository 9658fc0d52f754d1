import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { EngineRequest } from '../../src/clickhouse/engine/http-request.ts'
import type { EngineHook } from '../../src/clickhouse/engine/http-server.ts'
import { AS_ON_A_SERVER, type EngineUser } from '../../src/clickhouse/engine/users.ts'

/** A fault for the next `times` queries with the text `matching` in them. Without `matching`, any query counts. */
const faultSchema = z.intersection(
  z.object({ matching: z.string().optional(), times: z.number().int().positive().default(1) }),
  z.discriminatedUnion('kind', [
    /** Breaks the connection before the answer. */
    z.object({ kind: z.literal('reset') }),
    /** Answers with an error of this code, as a server would. */
    z.object({
      kind: z.literal('exception'),
      code: z.number().int(),
      message: z.string(),
      status: z.number().int().default(500),
    }),
    /** Delays the query by this time. If the client disconnects, the delay ends. */
    z.object({ kind: z.literal('delay'), milliseconds: z.number().int().nonnegative() }),
    /** Breaks the connection after this many bytes of the answer's body. */
    z.object({ kind: z.literal('break'), afterBytes: z.number().int().nonnegative() }),
    /**
     * Sends HTTP 200 and this many bytes, then an exception. It is tagged (ClickHouse 25.11 and later), or plain text (earlier).
     */
    z.object({
      kind: z.literal('exception_after_rows'),
      afterBytes: z.number().int().nonnegative(),
      code: z.number().int(),
      message: z.string(),
      tag: z.string().optional(),
    }),
    /**
     * Sends HTTP 200 and a complete document that has the exception as its last field. A server does so with
     * http_write_exception_in_output_format = 1.
     */
    z.object({ kind: z.literal('exception_in_document'), code: z.number().int(), message: z.string() }),
  ]),
)
export type Fault = z.input<typeof faultSchema>
type ParsedFault = z.infer<typeof faultSchema>

/** A query with this text ends each engine that it reaches, without a message. */
export const ENDS_ENGINE = 'ends the engine'

export interface ReceivedQuery {
  readonly user: string
  readonly sql: string
  readonly parameters: Readonly<Record<string, string>>
}

/** The test interface of the engine. Tests plan faults through it, and read the received queries. */
export class FaultInjection implements EngineHook {
  /** Users with the different rights that an operator may give to Clew's user. */
  readonly users: readonly EngineUser[] = [
    { name: 'reader-changing-settings', pool: 'readers', settings: { ...AS_ON_A_SERVER, readonly: '2' } },
    { name: 'reader-unrestricted', pool: 'readers', settings: { ...AS_ON_A_SERVER, readonly: '0' } },
  ]
  readonly #received: ReceivedQuery[] = []
  #faults: (ParsedFault & { left: number })[] = []

  answer(request: IncomingMessage, response: ServerResponse, url: URL): boolean {
    if (url.pathname === '/engine/received') {
      response.end(JSON.stringify(this.#received.slice(Number(url.searchParams.get('from') ?? 0))))
      return true
    }
    if (url.pathname !== '/engine/faults') return false
    this.#replace(request).then(
      () => response.end('ok'),
      (error: unknown) => response.writeHead(400).end(String(error)),
    )
    return true
  }

  async #replace(request: IncomingMessage): Promise<void> {
    let text = ''
    for await (const chunk of request) text += chunk
    this.#faults = z
      .array(faultSchema)
      .parse(JSON.parse(text))
      .map(fault => ({ ...fault, left: fault.times }))
  }

  async beforeQuery(query: EngineRequest, user: EngineUser, response: ServerResponse, signal: AbortSignal): Promise<boolean> {
    this.#received.push({ user: user.name, sql: query.sql, parameters: query.parameters })
    if (query.sql.includes(ENDS_ENGINE)) {
      process.stderr.write(`${ENDS_ENGINE}\n`)
      process.kill(process.pid, 'SIGKILL')
    }
    const fault = this.#take(query, ['reset', 'exception', 'delay'])
    if (fault === undefined) return false
    if (fault.kind === 'delay') await delay(fault.milliseconds, undefined, { signal }).catch(() => {})
    if (fault.kind === 'reset') response.destroy()
    if (fault.kind === 'exception') {
      response.writeHead(fault.status, { 'X-ClickHouse-Exception-Code': fault.code })
      response.end(exceptionText(fault))
    }
    return fault.kind !== 'delay'
  }

  async beforeResult(bytes: Buffer, query: EngineRequest, response: ServerResponse): Promise<boolean> {
    const fault = this.#take(query, ['break', 'exception_after_rows', 'exception_in_document'])
    if (fault === undefined) return false
    if (fault.kind === 'break') {
      response.write(bytes.subarray(0, fault.afterBytes), () => response.destroy())
    } else if (fault.kind === 'exception_after_rows') {
      if (fault.tag !== undefined) response.setHeader('X-ClickHouse-Exception-Tag', fault.tag)
      response.write(bytes.subarray(0, fault.afterBytes))
      const message = exceptionText(fault)
      const { tag } = fault
      response.end(
        tag === undefined
          ? message
          : `\r\n__exception__\r\n${tag}\r\n${message}${Buffer.byteLength(message)} ${tag}\r\n__exception__\r\n`,
      )
    } else if (fault.kind === 'exception_in_document') {
      const document = JSON.parse(bytes.toString()) as object
      response.end(JSON.stringify({ ...document, exception: exceptionText(fault) }))
    }
    return true
  }

  #take(query: EngineRequest, kinds: readonly ParsedFault['kind'][]): ParsedFault | undefined {
    const fault = this.#faults.find(
      ({ kind, matching, left }) => left > 0 && kinds.includes(kind) && (matching === undefined || query.sql.includes(matching)),
    )
    if (fault !== undefined) fault.left -= 1
    return fault
  }
}

function exceptionText(fault: { code: number; message: string }): string {
  return `Code: ${fault.code}. DB::Exception: ${fault.message} (version 26.7.2.1)\n`
}
