import type { RunAccess } from '../access/run-access.ts'
import type { DirectReads } from '../agent/direct-reads.ts'
import type { RunResult } from '../agent/run/result.ts'

/** The tools with which Clew's model answers (`ask`), and those of an agent that works with tables and SQL itself (`context`). */
export const MCP_MODES = { ask: ['ask', 'lineage'], context: ['list_sources', 'describe_table', 'run_query'] } as const
export const MCP_TOOLS = Object.values(MCP_MODES).flat()
export type McpMode = keyof typeof MCP_MODES
export type McpTool = (typeof MCP_TOOLS)[number]

/** Whoever calls a tool. */
export interface McpCaller {
  /** Tells callers apart. Threads belong to their caller. */
  readonly id: string
  /** The caller's rights. Undefined: no limits. */
  readonly access?: RunAccess
}

/**
 * Answers the caller's message in a thread. If the run fails, throws a RefusedRead that tells why.
 * @param tell receives sentences about the progress
 */
export type McpAnswer = (
  question: { readonly thread: string; readonly text: string },
  tell: (sentence: string) => void,
  signal: AbortSignal,
) => Promise<RunResult>

/** The server's abilities for a caller. */
export interface McpParts {
  readonly tools: ReadonlySet<McpTool>
  /** Whether there is a domain pack to read. */
  readonly hasDomain: boolean
  /** Answers for `ask` and `lineage`. The text of the latter is the command `lineage JOB question`. Absent without both tools. */
  readonly answer?: McpAnswer
  /** Counts a query of the agent's own. Throws a RefusedRead or RunError that tells why it may not run now. */
  readonly countQuery?: (signal: AbortSignal) => Promise<void>
  /** Waits until what the call has done is in the audit log. Absent if calls do not wait for it. */
  readonly recorded?: (signal: AbortSignal) => Promise<void>
  /** Returns what reads without a model. Opens it at the first call. */
  readonly reads: () => Promise<DirectReads>
}
