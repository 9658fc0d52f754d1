import { Routes } from 'discord.js'
import { z } from 'zod'
import { DISCORD_LIMITS } from '../limits.ts'
import { readResponse } from '../response.ts'
import type { CallDiscord } from '../rest.ts'

/**
 * Discord's types of command options. Source: discord.com/developers/docs/interactions/application-commands, "Application Command
 * Option Type".
 */
const STRING = 3
const BOOLEAN = 5

const optionSchema = z.object({
  type: z.number(),
  name: z.string(),
  description: z.string(),
  required: z.boolean().default(false),
  max_length: z.number().optional(),
})
/** The fields of a command that Clew sets. Other fields, which Discord adds, are ignored. */
const commandSchema = z.object({
  name: z.string(),
  type: z.number().default(1),
  description: z.string().default(''),
  options: z.array(optionSchema).nullish(),
  /** The contexts in which a command works. Clew's commands work in servers and in direct messages with the bot. */
  contexts: z.array(z.number()).nullish(),
  integration_types: z.array(z.number()).nullish(),
})
type Command = z.infer<typeof commandSchema>

const PRIVATE = { type: BOOLEAN, name: 'private', description: 'Only you see the answer', required: false } as const
const words = (name: string, description: string, more: Partial<z.infer<typeof optionSchema>> = {}) => ({
  ...{ type: STRING, name, description, required: false, max_length: DISCORD_LIMITS.question },
  ...more,
})
const ANYWHERE = { type: 1, contexts: [0, 1], integration_types: [0] }

export const DISCORD_COMMANDS: readonly Command[] = [
  {
    ...ANYWHERE,
    name: 'ask',
    description: 'Ask a question about the data',
    options: [words('question', 'In plain words', { required: true }), PRIVATE],
  },
  {
    ...ANYWHERE,
    name: 'lineage',
    description: 'Find out how a pipeline came to its rows, or why some are missing',
    options: [
      words('job', 'The name of the job', { required: true, max_length: DISCORD_LIMITS.jobName }),
      words('question', 'What to find out'),
      { type: BOOLEAN, name: 'deep', description: 'Run the job again where its tables are gone', required: false },
      PRIVATE,
    ],
  },
  {
    ...ANYWHERE,
    name: 'subscriptions',
    description: 'See and change the reports and alerts that come to you by themselves',
    options: [words('change', 'pause, resume, run, delete or edit, then an id; for edit also your words'), PRIVATE],
  },
  { ...ANYWHERE, name: 'usage', description: 'See what you have used, and what you may use' },
  { ...ANYWHERE, name: 'console', description: 'Get a link to the console, for you alone' },
]

/** The differences between the commands at Discord and those that Clew needs. All lists are empty if there is no difference. */
export interface CommandsDifference {
  readonly missing: readonly string[]
  readonly changed: readonly string[]
  /** Registered commands that Clew does not have. */
  readonly foreign: readonly string[]
}

/**
 * Compares an application's global commands with Clew's.
 * @throws ChatError
 */
export async function compareDiscordCommands(
  call: CallDiscord,
  applicationId: string,
  signal: AbortSignal,
): Promise<CommandsDifference> {
  const path = Routes.applicationCommands(applicationId)
  const registered = readResponse(z.array(commandSchema), await call(signal, (rest, signal) => rest.get(path, { signal })))
  const ofName = new Map(registered.map(command => [command.name, command]))
  return {
    missing: namesOf(DISCORD_COMMANDS.filter(({ name }) => !ofName.has(name))),
    changed: namesOf(DISCORD_COMMANDS.filter(command => isChanged(command, ofName.get(command.name)))),
    foreign: namesOf(registered.filter(({ name }) => !DISCORD_COMMANDS.some(command => command.name === name))),
  }
}

/**
 * Registers Clew's commands for every server. One request replaces all commands. Does nothing if they are registered already.
 * @throws ChatError
 */
export async function registerDiscordCommands(
  call: CallDiscord,
  applicationId: string,
  signal: AbortSignal,
): Promise<CommandsDifference> {
  const difference = await compareDiscordCommands(call, applicationId, signal)
  if (isDifferent(difference)) {
    const path = Routes.applicationCommands(applicationId)
    await call(signal, (rest, signal) => rest.put(path, { body: DISCORD_COMMANDS, signal }))
  }
  return difference
}

export function isDifferent({ missing, changed, foreign }: CommandsDifference): boolean {
  return missing.length + changed.length + foreign.length > 0
}

function isChanged(wanted: Command, found: Command | undefined): boolean {
  return found !== undefined && canonical(wanted) !== canonical(found)
}

function canonical(command: Command): string {
  const { name, type, description, options, contexts, integration_types: places } = commandSchema.parse(command)
  const ordered = (options ?? []).map(option => [
    option.type,
    option.name,
    option.description,
    option.required,
    option.max_length,
  ])
  return JSON.stringify([name, type, description, ordered, [...(contexts ?? [])].sort(), [...(places ?? [])].sort()])
}

function namesOf(commands: readonly Command[]): readonly string[] {
  return commands.map(command => command.name)
}
