import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { ApiRefusal } from './api-refusal.ts'
import type { JsonObject } from './message-payload.ts'

const objectSchema = z.record(z.string(), z.unknown())

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Returns the arguments of a call, which may be in the URL, a form or JSON. See docs.slack.dev/apis/web-api, "POST bodies". */
export function parseArguments(request: IncomingMessage, body: Buffer): JsonObject {
  const query = Object.fromEntries(new URL(request.url ?? '/', 'http://localhost').searchParams)
  const type = request.headers['content-type'] ?? ''
  if (body.length === 0) return query
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { ...query, ...Object.fromEntries(new URLSearchParams(body.toString())) }
  }
  if (type.startsWith('application/json')) return { ...query, ...parseJson(body) }
  throw new ApiRefusal(type === '' ? 'missing_post_type' : 'invalid_post_type')
}

function parseJson(body: Buffer): JsonObject {
  try {
    return objectSchema.parse(JSON.parse(body.toString()))
  } catch {
    throw new ApiRefusal('invalid_json')
  }
}
