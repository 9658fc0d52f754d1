import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface ReceivedSpan {
  readonly service: string
  readonly version: string
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first span of a trace. */
  readonly parentId: string
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  readonly durationMs: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly isFailed: boolean
}

export interface OtlpReceiver {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** The bodies of all requests, as one text. */
  readonly received: string
  close(): Promise<void>
}

/** Starts a receiver of traces in OTLP over HTTP, as a collector has it. It reads protobuf. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  let received = ''
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const isTraces = request.method === 'POST' && request.url === '/v1/traces'
    if (!isTraces || request.headers['content-type'] !== 'application/x-protobuf') return response.writeHead(404).end()
    received += body.toString('latin1')
    spans.push(...readSpans(body))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get received() {
      return received
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const
const FAILED = 2n

/**
 * Reads an `ExportTraceServiceRequest`. The numbers of its fields are those of
 * https://github.com/open-telemetry/opentelemetry-proto/tree/main/opentelemetry/proto.
 */
function readSpans(body: Buffer): readonly ReceivedSpan[] {
  return messages(body, 1).flatMap(ofResource => {
    const resource = readAttributes(messages(ofResource, 1).flatMap(each => messages(each, 1)))
    const named = { service: String(resource['service.name']), version: String(resource['service.version']) }
    return messages(ofResource, 2).flatMap(scope => messages(scope, 2).map(span => ({ ...named, ...readSpan(span) })))
  })
}

function readSpan(bytes: Buffer): Omit<ReceivedSpan, 'service' | 'version'> {
  const id = (number: number) => messages(bytes, number)[0]?.toString('hex') ?? ''
  const number = (field: number, of = bytes) => fields(of).find(each => each.field === field)?.number ?? 0n
  return {
    ...{ traceId: id(1), spanId: id(2), parentId: id(4) },
    name: messages(bytes, 5)[0]?.toString() ?? '',
    kind: KINDS[Number(number(6))] ?? 'internal',
    durationMs: Number(number(8) - number(7)) / 1e6,
    attributes: readAttributes(messages(bytes, 9)),
    isFailed: messages(bytes, 15).some(status => number(3, status) === FAILED),
  }
}

function readAttributes(pairs: readonly Buffer[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    pairs.map(pair => {
      const [value] = messages(pair, 2).flatMap(each => fields(each))
      return [messages(pair, 1)[0]?.toString() ?? '', value && readValue(value)]
    }),
  )
}

function readValue({ field, number, bytes }: Field): unknown {
  if (field === 1) return bytes.toString()
  if (field === 2) return number === 1n
  if (field === 3) return Number(BigInt.asIntN(64, number))
  return bytes.readDoubleLE()
}

function messages(bytes: Buffer, field: number): readonly Buffer[] {
  return fields(bytes).flatMap(each => (each.field === field ? [each.bytes] : []))
}

interface Field {
  readonly field: number
  readonly number: bigint
  readonly bytes: Buffer
}

/** Reads the fields of a protobuf message: https://protobuf.dev/programming-guides/encoding. */
function fields(bytes: Buffer): readonly Field[] {
  const read: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number) => {
    at += length
    if (at > bytes.length) throw new Error('a field is longer than its message')
    return bytes.subarray(at - length, at)
  }
  const none = Buffer.alloc(0)
  while (at < bytes.length) {
    const tag = Number(varint())
    const field = tag >> 3
    const wire = tag & 7
    if (wire === 0) read.push({ field, number: varint(), bytes: none })
    else if (wire === 2) read.push({ field, number: 0n, bytes: take(Number(varint())) })
    else if (wire === 1) {
      const eight = take(8)
      read.push({ field, number: eight.readBigUInt64LE(), bytes: eight })
    } else if (wire === 5) read.push({ field, number: BigInt(take(4).readUInt32LE(0)), bytes: none })
    else throw new Error(`no protobuf: wire type ${wire}`)
  }
  return read
}
