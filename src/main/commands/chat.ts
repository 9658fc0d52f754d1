import { ChatSession } from '../../bots/terminal/chat-session.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { openAnalyst } from '../open-analyst.ts'
import { tellIfForgotten } from './ask.ts'
import { type CommandContext, EXIT } from './command-context.ts'

/** `clew chat`: a conversation at the terminal. */
export async function chatCommand(context: CommandContext, options: { readonly thread?: string }): Promise<number> {
  tellIfForgotten(context, options.thread)
  const parts = await openAnalyst(context)
  const session = new ChatSession({
    ...parts,
    input: process.stdin,
    output: context.output,
    view: viewOf(context.output),
    language: context.language,
    ...(options.thread === undefined ? {} : { thread: options.thread }),
  })
  await session.run(context.signal)
  return EXIT.answered
}
