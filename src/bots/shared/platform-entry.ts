import type { z } from 'zod'
import type { PeopleDirectory } from '../../access/people-directory.ts'
import type { PlatformIds } from '../../access/platform-ids.ts'
import type { Report } from '../../base/check.ts'
import type { Logger } from '../../base/logger.ts'
import type { LinkHost } from '../../base/text/link-hosts.ts'
import type { ChartDrawer } from '../../charts/drawer.ts'
import type { ChatSurface } from '../../chat/platform.ts'
import type { RecentQuestions } from '../../chat/recent-questions.ts'
import type { ChatDestination } from '../../queue/deliver/chat-destination.ts'
import type { HealthServer } from '../../telemetry/health-server.ts'
import type { Language } from '../../words/language.ts'
import type { EventDeduplicator } from './event-deduplicator.ts'

/** Everything that the rest of the program knows about a chat platform. Importing an entry does not load the platform's code. */
export interface PlatformEntry extends PlatformIds {
  /** The name in lower-case letters. The platform's folder, `docs/<name>.md` and `access.yaml` all use this name. */
  readonly name: string
  /** The platform's name as people write it. */
  readonly title: string
  /** The names of the required variables as one text for error messages, such as `DISCORD_TOKEN and DISCORD_APPLICATION_ID`. */
  readonly needs: string
  readonly variables: Readonly<Record<string, z.ZodType<string | undefined>>>
  readonly secrets: readonly string[]
  /** The variable that sets the address of the platform's API. */
  readonly apiVariable: string
  readonly showsRecentQuestions: boolean
  /**
   * Reads the platform's configuration.
   * @returns undefined if none of its variables is set
   * @throws ConfigurationError if a variable is set, but another variable that it needs is not
   */
  configure(values: PlatformValues): ConfiguredPlatform | undefined
}

/** The values of environment variables, by name. Each value has been checked. */
export type PlatformValues = Readonly<Record<string, string | undefined>>

/** A platform whose tokens are set. Its methods load the platform's code when they are called. */
export interface ConfiguredPlatform {
  open(parts: PlatformParts): Promise<OpenPlatform>
  people(calls: PlatformCalls): Promise<PeopleDirectory>
  /** Checks the tokens and rights for `clew doctor`, without opening a connection. */
  check(calls: PlatformCalls, report: Report, signal: AbortSignal): Promise<void>
  /**
   * Registers slash commands. Missing if the platform does not let the bot register commands.
   * @returns the names of commands that differed
   * @throws ChatError
   */
  registerCommands?(signal: AbortSignal): Promise<Readonly<Record<'missing' | 'changed' | 'foreign', readonly string[]>>>
}

export interface PlatformCalls {
  readonly timeoutMs: number
  readonly logger: Logger
}

export interface PlatformParts {
  readonly linkHosts: readonly LinkHost[]
  readonly drawChart: ChartDrawer['draw']
  readonly logger: Logger
}

export interface OpenPlatform {
  /** Creates the part that receives the platform's events. It runs in the bots process. */
  surface(parts: SurfaceParts): ChatSurface
  /** The part that sends messages. The bots process and the workers use it. */
  readonly destination: ChatDestination
}

/**
 * Returns a text for a person that nobody else sees.
 * @param who the name from `askerName`, and the workspace in which the person asks
 * @throws StoreError
 */
type Tell = (
  who: { readonly person: string; readonly workspace: string },
  language: Language,
  signal: AbortSignal,
) => Promise<string>
/** The commands that a process of bots answers itself: what a person has used and may use, and a link to the console. */
export type Tells = Readonly<Record<'usage' | 'console', Tell>>

/** The parts that a platform needs for receiving events. */
export interface SurfaceParts {
  readonly server: Pick<HealthServer, 'serve'>
  readonly once: EventDeduplicator
  readonly recentQuestions: RecentQuestions
  readonly tells: Tells
  /** The operator's suggested questions. Empty if there are none. */
  readonly examples: readonly string[]
}
