import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ClewError } from '../base/errors.ts'
import { HTTP_LIMITS } from './limits.ts'

/** A refusal as RFC 9457 describes it. `code` is stable; `message` is a sentence for people. */
export class Problem extends ClewError {
  readonly status: ContentfulStatusCode
  readonly headers: Readonly<Record<string, string>>
  /** Further members of the object, such as the mistakes of a body. */
  readonly more: Readonly<Record<string, unknown>>

  constructor(
    status: ContentfulStatusCode,
    code: string,
    sentence: string,
    { headers = {}, more = {} }: { readonly headers?: Record<string, string>; readonly more?: Record<string, unknown> } = {},
  ) {
    super(sentence, { code, retryable: status === 429 || status >= 500 })
    this.status = status
    this.headers = headers
    this.more = more
  }

  static unknown(): Problem {
    return new Problem(404, 'not_found', 'There is nothing here, or it belongs to another token, or it has expired.')
  }

  static noPath(): Problem {
    return new Problem(404, 'not_found', 'There is no such path: /openapi.json describes all.')
  }

  static unauthorized(): Problem {
    const headers = { 'WWW-Authenticate': 'Bearer' }
    return new Problem(401, 'unauthorized', 'This needs a valid token: Authorization: Bearer clew_….', { headers })
  }

  /** @param role the token's role. Null if it was made while there were no rules of access */
  static noRole(role: string | null): Problem {
    const why =
      role === null ? 'This token has no role, and there are rules of access now' : 'The role of this token no longer exists'
    return new Problem(403, 'no_role', `${why}: it needs a new token.`)
  }

  /** The refusal of a person who has signed in to the console, and may ask nothing by the rules as they are now. */
  static personRefused(reason: 'no_role' | 'people_unknown' | 'changed'): Problem {
    if (reason === 'people_unknown') {
      const sentence =
        'The chat does not tell now in which groups you are. Try again later. (clew serve needs the tokens of the chat.)'
      return Problem.busy('people_unknown', sentence, HTTP_LIMITS.busyMs, 503)
    }
    return new Problem(403, 'no_role', 'You have no role here now. Whoever runs Clew can give you one in access.yaml.')
  }

  static accessChanged(): Problem {
    return new Problem(403, 'access_changed', 'What this token may read has changed since. Ask again.')
  }

  static busy(code: string, sentence: string, waitMs: number = HTTP_LIMITS.busyMs, status: 429 | 503 = 429): Problem {
    return new Problem(status, code, sentence, { headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) } })
  }

  toJson(): Readonly<Record<string, unknown>> {
    const { code, status, message, more } = this
    return { type: `urn:clew:problem:${code}`, title: code.replaceAll('_', ' '), status, detail: message, code, ...more }
  }

  toResponse(): Response {
    const headers = { 'Content-Type': 'application/problem+json', ...this.headers }
    return new Response(JSON.stringify(this.toJson()), { status: this.status, headers })
  }
}
