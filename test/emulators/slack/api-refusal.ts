import type { JsonObject } from './message-payload.ts'

/** Thrown for a call that Slack answers with `ok: false`. `error` is Slack's code. `details` contains further fields of the answer. */
export class ApiRefusal extends Error {
  readonly error: string
  readonly details: JsonObject

  constructor(error: string, details: JsonObject = {}) {
    super(`Slack refuses: ${error}`)
    this.name = 'ApiRefusal'
    this.error = error
    this.details = details
  }
}
