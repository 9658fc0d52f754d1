import { newRunId } from '../src/agent/run/id.ts'
import { inSlices } from '../src/base/slices.ts'
import { renderDiscordReply } from '../src/bots/discord/render/render.ts'
import { renderSlackReply } from '../src/bots/slack/render/render.ts'
import type { RenderedPart } from '../src/chat/platform.ts'
import type { Reply } from '../src/chat/reply.ts'
import { runCommand } from '../src/main/commands/command-context.ts'
import { openAnalyst } from '../src/main/open-analyst.ts'
import { longAnswer } from './large-result.ts'
import { longestBlock } from './longest-block.ts'

// Measures the longest block of a process's first work. `main-first-block.ts QUESTION` asks the question. `--slack` and `--discord` render a long
// answer. Prints {"ms": …}.

const ANSWER_CHARACTERS = 100_000
const OPTIONS = { allowedLinkHosts: [] }
const RENDERERS: Readonly<Record<string, (reply: Reply) => Promise<readonly RenderedPart[]>>> = {
  '--slack': reply => inSlices(renderSlackReply(reply, OPTIONS)),
  '--discord': reply => inSlices(renderDiscordReply(reply, OPTIONS)),
}

const { BENCH_MODEL_URL, BENCH_WAREHOUSE_URL, BENCH_DATABASE, ...own } = process.env
const text = process.argv[2] ?? ''
process.exitCode = await runCommand(
  {
    ...own,
    OPENAI_BASE_URL: BENCH_MODEL_URL,
    OPENAI_MODEL: 'simulated',
    CLICKHOUSE_URL: BENCH_WAREHOUSE_URL,
    CLICKHOUSE_DATABASE: BENCH_DATABASE,
  },
  async context => {
    const render = RENDERERS[text]
    if (render !== undefined) {
      const markdown = longAnswer(ANSWER_CHARACTERS)
      tell(await longestBlock(() => render({ kind: 'answer', markdown })))
      return 0
    }
    const { analyst } = await openAnalyst(context)
    tell(await longestBlock(() => analyst.ask({ runId: newRunId(), text, askedAt: Date.now() }, context.signal)))
    return 0
  },
  { logLevel: 'warn' },
)

function tell(ms: number): void {
  process.stdout.write(`${JSON.stringify({ ms })}\n`)
}
