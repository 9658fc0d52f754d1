import type { z } from 'zod'
import type { PeopleDirectory } from '../../access/people-directory.ts'
import type { PlatformIds } from '../../access/platform-ids.ts'
import type { Report } from '../../base/check.ts'
import type { LinkHost } from '../../base/link-hosts.ts'
import type { Logger } from '../../base/logger.ts'
import type { ChartDrawer } from '../../charts/drawer.ts'
import type { ChatSurface } from '../../chat/platform.ts'
import type { RecentQuestions } from '../../chat/recent-questions.ts'
import type { ChatDestination } from '../../queue/deliver/chat-destination.ts'
import type { HealthServer } from '../../telemetry/health-server.ts'
import type { EventDeduplicator } from './event-deduplicator.ts'

/** Everything that other parts know of a chat platform. The entry itself loads none of the platform's code. */
export interface PlatformEntry extends PlatformIds {
  /** Lower-case letters. Its folder, `docs/<name>.md` and `access.yaml` have the same name. */
  readonly name: string
  /** As people write it. */
  readonly title: string
  /** The variables that it takes, in words. */
  readonly needs: string
  readonly variables: Readonly<Record<string, z.ZodType<string | undefined>>>
  /** The variables with secrets. */
  readonly secrets: readonly string[]
  /** The variable with the address of its API. */
  readonly apiVariable: string
  /** Whether it has a place for a person's recent questions. */
  readonly showsRecentQuestions: boolean
  /** @returns undefined if nothing is set. @throws ConfigurationError if a variable lacks another */
  configure(values: PlatformValues): ConfiguredPlatform | undefined
}

/** Checked variables, by name. */
export type PlatformValues = Readonly<Record<string, string | undefined>>

/** A platform with its tokens. Each method loads the code that it needs. */
export interface ConfiguredPlatform {
  open(parts: PlatformParts): Promise<OpenPlatform>
  people(calls: PlatformCalls): Promise<PeopleDirectory>
  /** Checks the tokens and rights for `clew doctor`, without opening a connection. */
  check(calls: PlatformCalls, report: Report, signal: AbortSignal): Promise<void>
  /** Registers slash commands where the platform has them from the bot. @returns the names that differed. @throws ChatError */
  registerCommands?(signal: AbortSignal): Promise<Readonly<Record<'missing' | 'changed' | 'foreign', readonly string[]>>>
}

export interface PlatformCalls {
  /** The time limit of one request. */
  readonly timeoutMs: number
  readonly logger: Logger
}

export interface PlatformParts {
  readonly linkHosts: readonly LinkHost[]
  readonly drawChart: ChartDrawer['draw']
  readonly logger: Logger
}

export interface OpenPlatform {
  /** The incoming connection, for the bots process. */
  surface(parts: SurfaceParts): ChatSurface
  /** The outgoing half, for both processes. */
  readonly destination: ChatDestination
}

/** The parts of an incoming connection. */
export interface SurfaceParts {
  readonly server: Pick<HealthServer, 'serve'>
  readonly once: EventDeduplicator
  readonly recentQuestions: RecentQuestions
  /** Suggested questions, if the operator names any. */
  readonly examples: readonly string[]
}
