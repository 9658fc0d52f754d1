import { z } from 'zod'
import type { DirectReads } from '../agent/direct-reads.ts'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { Callers } from '../http/callers.ts'
import { Problem } from '../http/problem.ts'
import type { Sessions } from '../http/sessions.ts'
import { abortable } from '../store/abortable.ts'
import type { ConsoleApp, Viewer } from './app.ts'
import { CONSOLE_LIMITS } from './limits.ts'

export interface SessionRoutesDeps {
  readonly sessions: Pick<Sessions, 'signIn' | 'signOut'>
  readonly callers: Callers
  readonly reads: () => Promise<Pick<DirectReads, 'listSources' | 'domain'>>
  readonly timeZone: string
  /** Questions to suggest instead of those of the domain pack. */
  readonly examples?: readonly string[] | undefined
  readonly logger: Logger
}

/** Who has signed in. `tables` is the number that the person may read; null if the data cannot be reached now. */
export type SessionJson = Awaited<ReturnType<typeof sessionOf>>

const signInSchema = z.strictObject({ secret: z.string().regex(/^[\w-]{43}$/) })

/** Adds the routes that begin, show and end a session. */
export function addSessionRoutes(app: ConsoleApp, deps: SessionRoutesDeps): void {
  const { sessions, callers } = deps
  app.add('POST /console/api/session', signInSchema, async ({ given, signal, context }) => {
    const begun = await sessions.signIn(given.secret, signal)
    if (begun === undefined) {
      const wayOut = 'For another one, send /console in chat, or run clew tokens link.'
      throw new Problem(410, 'link_used', `This link was used, or it has expired. ${wayOut}`)
    }
    context.header('Set-Cookie', callers.cookieOf(begun.secret, begun.lifeMs))
    return { person: begun.token.person }
  })
  app.add('GET /console/api/session', ({ viewer }) => sessionOf(viewer, deps))
  app.add('DELETE /console/api/session', async ({ signal, context }) => {
    const secret = callers.secretOf(context.req.raw)
    if (secret !== undefined) await sessions.signOut(secret, signal)
    context.header('Set-Cookie', callers.cookieOf('', 0))
  })
}

async function sessionOf({ person, roles, may, access }: Viewer, deps: SessionRoutesDeps) {
  const signal = AbortSignal.timeout(CONSOLE_LIMITS.readMs)
  const counted = async () => {
    const reads = await deps.reads()
    const sources = await reads.listSources({ access }, signal)
    const examples = deps.examples ?? (await reads.domain(access, signal))?.verifiedQueries.map(({ question }) => question) ?? []
    return { tables: sources.reduce((sum, { table_count: count }) => sum + count, 0), examples }
  }
  // The page opens even while the data cannot be reached.
  const data = await abortable(counted(), signal).catch((error: unknown) => {
    deps.logger.warn({ error: errorMessage(error) }, 'the console opens without its data')
    return { tables: null, examples: deps.examples ?? [] }
  })
  const examples = data.examples.slice(0, CONSOLE_LIMITS.examples)
  return { person, roles, may, timeZone: deps.timeZone, tables: data.tables, examples }
}
