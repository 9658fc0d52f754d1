import type { RunAccess } from '../access/run-access.ts'
import type { DirectReads, RefusedRead } from '../agent/direct-reads.ts'
import type { RunResult } from '../agent/run/result.ts'

/** Whoever calls a tool. */
export interface McpCaller {
  /** Tells callers apart. Threads belong to their caller. */
  readonly id: string
  /** The caller's rights. Undefined: no limits. */
  readonly access?: RunAccess
}

export interface McpQuestion {
  readonly thread: string
  readonly text: string
}

/**
 * Answers the caller's message in a thread. If the run fails, a refusal tells why.
 * @param tell receives sentences about the progress
 */
export type McpAnswer = (
  question: McpQuestion,
  tell: (sentence: string) => void,
  signal: AbortSignal,
) => Promise<RunResult | RefusedRead>

/** The server's abilities for a caller. A part that is absent is not offered. */
export interface McpParts {
  readonly ask?: McpAnswer
  /** Answers a question about a pipeline's run. Its text is the command `lineage JOB question`. */
  readonly lineage?: McpAnswer
  readonly listSources?: DirectReads['listSources']
  readonly describeTable?: DirectReads['describeTable']
  readonly runQuery?: DirectReads['runQuery']
  readonly domain?: DirectReads['domain']
}

/** The part of each tool. */
export const MCP_TOOLS = {
  ask: 'ask',
  lineage: 'lineage',
  list_sources: 'listSources',
  describe_table: 'describeTable',
  run_query: 'runQuery',
} as const satisfies Readonly<Record<string, keyof McpParts>>
export type McpTool = keyof typeof MCP_TOOLS
