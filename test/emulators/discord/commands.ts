import { ApiRefusal } from './api-refusal.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import { FormErrors } from './form-errors.ts'
import { isObject, type JsonObject } from './json.ts'
import type { World } from './world.ts'

type Path = readonly (string | number)[]

/** A registered slash command or menu command, in the form of Discord's API. */
export interface RegisteredCommand {
  readonly id: string
  readonly guildId: string | undefined
  /** An id that changes whenever the content of the command changes, and only then. */
  readonly version: string
  readonly name: string
  readonly type: 1 | 2 | 3
  /** All other fields of the command, such as its description. */
  readonly content: JsonObject
}

/** Discord documents this in interactions/application-commands, "Application Command Naming". */
const CHAT_INPUT_NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u
const DAY_MS = 24 * 3_600_000

/** All commands of the application: the global ones, and those of each server. */
export class Commands {
  readonly #world: World
  readonly #appId: string
  #commands: readonly RegisteredCommand[] = []
  readonly #creates: { readonly scope: string | undefined; readonly at: number }[] = []

  constructor(deps: { world: World; appId: string }) {
    this.#world = deps.world
    this.#appId = deps.appId
  }

  /** Returns the commands of one server, or the global ones, in the order of their registration. */
  list(guildId: string | undefined): readonly RegisteredCommand[] {
    return this.#commands.filter(command => command.guildId === guildId)
  }

  /** Returns the command that people can use in this server. A command of the server hides a global one of the same name. */
  find(name: string, type: 1 | 2 | 3, guildId: string | undefined): RegisteredCommand | undefined {
    const ofGuild = guildId === undefined ? [] : this.list(guildId)
    return [...ofGuild, ...this.list(undefined)].find(command => command.name === name && command.type === type)
  }

  /** @throws ApiRefusal 10063 if there is no such command */
  get(guildId: string | undefined, id: string): RegisteredCommand {
    const found = this.list(guildId).find(command => command.id === id)
    if (found === undefined) throw new ApiRefusal('unknownCommand')
    return found
  }

  /**
   * Replaces all commands of a server, or all global ones. A command with the same name and type keeps its id. If it has not changed, it keeps
   * its version too.
   */
  overwrite(guildId: string | undefined, forms: unknown): readonly RegisteredCommand[] {
    const errors = new FormErrors()
    const list = errors.list([], forms)
    const read = list.map((form, index) => readCommand([index], form, errors))
    errors.refuseIfAny()
    for (const type of [1, 2, 3] as const) {
      const most = DISCORD_LIMITS.commands[type]
      if (read.filter(command => command.type === type).length > most) throw new ApiRefusal('tooManyCommands')
    }
    for (const [index, command] of read.entries()) {
      if (read.findIndex(other => other.name === command.name && other.type === command.type) === index) continue
      errors.add([index], 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique')
    }
    errors.refuseIfAny()
    const registered = read.map(command => this.#register(guildId, command))
    this.#commands = [...this.#commands.filter(command => command.guildId !== guildId), ...registered]
    return registered
  }

  /** @returns the command, and whether it is new; a command of the same name is replaced */
  create(guildId: string | undefined, form: unknown): { readonly command: RegisteredCommand; readonly isNew: boolean } {
    const errors = new FormErrors()
    const read = readCommand([], form, errors)
    errors.refuseIfAny()
    const others = this.list(guildId).filter(command => command.name !== read.name || command.type !== read.type)
    if (others.filter(command => command.type === read.type).length >= DISCORD_LIMITS.commands[read.type]) {
      throw new ApiRefusal('tooManyCommands')
    }
    const isNew = others.length === this.list(guildId).length
    const command = this.#register(guildId, read)
    this.#commands = [...this.#commands.filter(one => one.guildId !== guildId), ...others, command]
    return { command, isNew }
  }

  edit(guildId: string | undefined, id: string, form: JsonObject): RegisteredCommand {
    const current = this.get(guildId, id)
    const errors = new FormErrors()
    const read = readCommand([], { ...this.payload(current), ...form, type: current.type }, errors)
    errors.refuseIfAny()
    const edited = { ...current, ...read, version: this.#world.newId() }
    this.#commands = this.#commands.map(command => (command === current ? edited : command))
    return edited
  }

  delete(guildId: string | undefined, id: string): void {
    const current = this.get(guildId, id)
    this.#commands = this.#commands.filter(command => command !== current)
  }

  /** Formats a command. Source: interactions/application-commands, "Application Command Structure". */
  payload(command: RegisteredCommand): JsonObject {
    return {
      id: command.id,
      application_id: this.#appId,
      version: command.version,
      ...(command.guildId === undefined ? {} : { guild_id: command.guildId }),
      name: command.name,
      type: command.type,
      ...command.content,
    }
  }

  #register(guildId: string | undefined, read: CommandForm): RegisteredCommand {
    const current = this.list(guildId).find(command => command.name === read.name && command.type === read.type)
    if (current === undefined) this.#countCreate(guildId)
    const isSame = current !== undefined && sameJson(current.content, read.content)
    return {
      ...read,
      id: current?.id ?? this.#world.newId(),
      guildId,
      version: isSame ? current.version : this.#world.newId(),
    }
  }

  #countCreate(scope: string | undefined): void {
    const now = this.#world.clock.now()
    const recent = this.#creates.filter(create => create.scope === scope && create.at > now - DAY_MS)
    if (recent.length >= DISCORD_LIMITS.commandCreatesADay) throw new ApiRefusal('tooManyCommandCreates')
    this.#creates.push({ scope, at: now })
  }
}

type CommandForm = Pick<RegisteredCommand, 'name' | 'type' | 'content'>

function readCommand(path: Path, value: unknown, errors: FormErrors): CommandForm {
  const form = isObject(value) ? value : {}
  const type = form.type ?? 1
  if (type !== 1 && type !== 2 && type !== 3) {
    errors.choices([...path, 'type'], [1, 2, 3])
    return { name: '', type: 1, content: {} }
  }
  const name = readName(path, form, errors, type === 1)
  if (type === 1) {
    const rule = { least: 1, most: DISCORD_LIMITS.commandDescription, required: true }
    errors.string([...path, 'description'], form.description, rule)
    readOptions([...path, 'options'], form.options, errors)
    if (textLength(form) > DISCORD_LIMITS.commandTotal) {
      errors.add(path, 'APPLICATION_COMMAND_TOO_LARGE', `Command exceeds maximum size (${DISCORD_LIMITS.commandTotal})`)
    }
  } else if ((form.description ?? '') !== '') {
    const message = 'Context menu commands cannot have description'
    errors.add([...path, 'description'], 'APPLICATION_COMMAND_DESCRIPTION_NOT_ALLOWED', message)
  }
  return {
    name,
    type,
    content: {
      name_localizations: form.name_localizations ?? null,
      description: form.description ?? '',
      description_localizations: form.description_localizations ?? null,
      ...(form.options === undefined || form.options === null ? {} : { options: form.options }),
      default_member_permissions: form.default_member_permissions ?? null,
      nsfw: form.nsfw === true,
      integration_types: form.integration_types ?? [0],
      contexts: form.contexts ?? null,
    },
  }
}

function readName(path: Path, form: JsonObject, errors: FormErrors, isChatInput: boolean): string {
  const rule = { least: 1, most: DISCORD_LIMITS.commandName, required: true }
  const name = errors.string([...path, 'name'], form.name, rule)
  if (name === undefined || name === '') return ''
  if (isChatInput && (!CHAT_INPUT_NAME.test(name) || name !== name.toLowerCase())) {
    errors.add([...path, 'name'], 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid')
  }
  return name
}

/** Groups contain subcommands, and subcommands contain options. Discord documents this in "Application Command Option Structure". */
function readOptions(path: Path, value: unknown, errors: FormErrors): void {
  const options = errors.list(path, value)
  if (!errors.length(path, options, { most: DISCORD_LIMITS.commandOptions })) return
  const names = new Set<unknown>()
  let hasOptional = false
  for (const [index, item] of options.entries()) {
    const at = [...path, index]
    const option = isObject(item) ? item : {}
    const { type } = option
    if (typeof type !== 'number' || type < 1 || type > 11) errors.choices([...at, 'type'], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    readName(at, option, errors, true)
    if (names.has(option.name)) errors.add(at, 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID', 'Option names must be unique')
    names.add(option.name)
    const rule = { least: 1, most: DISCORD_LIMITS.commandDescription, required: true }
    errors.string([...at, 'description'], option.description, rule)
    if (option.required === true && hasOptional) {
      const message = 'Required options must be placed before non-required options'
      errors.add(at, 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', message)
    }
    hasOptional ||= option.required !== true
    readChoices([...at, 'choices'], option.choices, errors)
    if (type === 1 || type === 2) readOptions([...at, 'options'], option.options, errors)
  }
}

function readChoices(path: Path, value: unknown, errors: FormErrors): void {
  const choices = errors.list(path, value)
  if (!errors.length(path, choices, { most: DISCORD_LIMITS.commandChoices })) return
  for (const [index, item] of choices.entries()) {
    const choice = isObject(item) ? item : {}
    const rule = { least: 1, most: DISCORD_LIMITS.commandChoiceName, required: true }
    errors.string([...path, index, 'name'], choice.name, rule)
    if (typeof choice.value === 'string') errors.string([...path, index, 'value'], choice.value, { most: rule.most })
  }
}

/** Adds up the characters of all names, descriptions and values in a command. Discord limits this sum. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0)
  if (!isObject(value)) return 0
  const own = [value.name, value.description, value.value].map(part => (typeof part === 'string' ? part.length : 0))
  return own.reduce((sum, length) => sum + length, 0) + textLength(value.options) + textLength(value.choices)
}

/** Compares two JSON values. The order of keys does not matter. */
function sameJson(first: unknown, second: unknown): boolean {
  if (Array.isArray(first) && Array.isArray(second)) {
    return first.length === second.length && first.every((item, index) => sameJson(item, second[index]))
  }
  if (!isObject(first) || !isObject(second)) return first === second
  const keys = new Set([...Object.keys(first), ...Object.keys(second)])
  return [...keys].every(key => sameJson(first[key], second[key]))
}
