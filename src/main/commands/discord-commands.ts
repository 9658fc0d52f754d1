import { ConfigurationError } from '../../base/errors.ts'
import { ChatError } from '../../chat/error.ts'
import { type CommandContext, EXIT } from './command-context.ts'

/** `clew discord-commands`: registers Clew's slash commands with Discord, if they are not registered yet. Prints what it did. */
export async function discordCommandsCommand({ config, output, signal }: CommandContext): Promise<number> {
  const { discord } = config.chat.configured
  if (discord?.registerCommands === undefined)
    throw new ConfigurationError(
      'Discord is not configured: set DISCORD_TOKEN and DISCORD_APPLICATION_ID (docs/discord.md tells how to get them).',
    )
  const difference = await discord.registerCommands(signal).catch(refused)
  const done = [
    ['added', difference.missing],
    ['changed', difference.changed],
    ['removed', difference.foreign],
  ] as const
  const lines = done
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what} ${names.map(name => `/${name}`).join(', ')}`)
  output.write(lines.length === 0 ? 'Nothing to do: the commands are registered.\n' : `Registered: ${lines.join('; ')}.\n`)
  return EXIT.answered
}

function refused(error: unknown): never {
  if (error instanceof ChatError && error.kind === 'authentication')
    throw new ConfigurationError('DISCORD_TOKEN does not work: set it to the token of the bot.', { cause: error })
  if (error instanceof ChatError && !error.retryable && error.kind !== 'cancelled')
    throw new ConfigurationError(
      `${error.message} Check that DISCORD_APPLICATION_ID is the id of the application that DISCORD_TOKEN belongs to.`,
      { cause: error },
    )
  throw error
}
