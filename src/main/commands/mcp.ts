import { RunningCalls } from '../../mcp/running-calls.ts'
import { serveStdio } from '../../mcp/stdio.ts'
import { type McpOptions, wireMcp } from '../mcp.ts'
import { TERMINAL_PERSON } from '../terminal-person.ts'
import { accessAs } from './ask.ts'
import { type CommandContext, EXIT } from './command-context.ts'

/** `clew mcp`: serves one agent on standard input and output, until the agent closes them. */
export async function mcpCommand(
  context: CommandContext,
  options: McpOptions & {
    /** Serves with the rights of this role of access.yaml. If absent, all tables may be read. */
    readonly as?: string
  },
): Promise<number> {
  const { logger, output, signal } = context
  const access = options.as === undefined ? undefined : await accessAs(context, options.as)
  const caller = { id: TERMINAL_PERSON, ...(access && { access }) }
  const parts = await wireMcp(context, options, caller)
  const deps = { parts, calls: new RunningCalls(), logger }
  await serveStdio(deps, caller, { input: process.stdin, output, signal })
  return EXIT.answered
}
