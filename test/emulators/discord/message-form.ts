import { ApiRefusal } from './api-refusal.ts'
import { allComponents, ComponentForm } from './component-form.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import { type Attachment, type Channel, MESSAGE_FLAG, type MessageBody } from './discord-model.ts'
import { readEmbeds } from './embed-form.ts'
import { FormErrors } from './form-errors.ts'
import { isObject, type JsonObject } from './json.ts'
import { type AllowedMentions, resolveMentions } from './mentions.ts'
import type { UploadedFile } from './request-body.ts'
import type { World } from './world.ts'

export interface MessageForm {
  readonly body: MessageBody
  readonly nonce: string | number | undefined
  readonly enforcesNonce: boolean
}

export interface MessageFormOptions {
  readonly world: World
  readonly channel: Channel
  readonly authorId: string
  /** Returns the address of a file in a message. */
  readonly attachmentUrl: (id: string, filename: string) => string
  /** The mentions that are allowed if the message does not say so itself. */
  readonly defaultMentions: AllowedMentions
  /** The message flags that this endpoint accepts. It ignores all other flags. */
  readonly settableFlags: number
  /** The present state of an edited message. It keeps every value that the form does not contain. */
  readonly edited?: MessageBody
  readonly repliedTo?: string | undefined
  /** The place of the form in the request, for error messages. For a callback, this is `data`. */
  readonly errors?: FormErrors
}

/** Checks the form of a message. It is used for posts and edits, in channels and interactions. @throws ApiRefusal 50035, 50006, 30015, 50045 */
export function readMessageForm(form: JsonObject, files: readonly UploadedFile[], options: MessageFormOptions): MessageForm {
  const { world, edited } = options
  const errors = options.errors ?? new FormErrors()
  if (files.length > DISCORD_LIMITS.files) throw new ApiRefusal('tooManyFiles')
  if (files.some(file => file.content.length > DISCORD_LIMITS.fileBytes)) throw new ApiRefusal('fileTooLarge')

  const flags = readFlags(form.flags, errors, options)
  const isV2 = (flags & MESSAGE_FLAG.componentsV2) !== 0
  const content = errors.string(['content'], form.content, { most: DISCORD_LIMITS.content })?.trim()
  const attachments = readAttachments(form, files, errors, options)
  const used = new Set<string>()
  const findUpload = (name: string) => {
    const found = attachments.find(attachment => attachment.filename === name)
    if (found !== undefined) used.add(found.id)
    return found?.url
  }
  const embeds = form.embeds === undefined ? edited?.embeds : readEmbeds(form.embeds, errors, findUpload)
  const components =
    form.components === undefined ? edited?.components : new ComponentForm(errors, findUpload).message(form.components, isV2)
  if (isV2 && ((content ?? '') !== '' || (embeds ?? []).length > 0)) {
    const message = 'The MessageFlags.IS_COMPONENTS_V2 flag cannot be used with content or embeds'
    errors.add([content === undefined ? 'embeds' : 'content'], 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', message)
  }
  const keepsRich = form.embeds === undefined && form.components === undefined
  const nonce = readNonce(form.nonce, errors)
  const allowed = readAllowedMentions(form.allowed_mentions, errors, options.defaultMentions)
  errors.refuseIfAny()

  const shown = {
    content: form.content === undefined ? (edited?.content ?? '') : (content ?? ''),
    embeds: embeds ?? [],
    components: components ?? [],
    // An edit may repeat the embed without referring to the file again. The file then appears once more below
    // (github.com/discord/discord-api-docs/issues/4809).
    attachments: attachments.map(attachment => ({
      ...attachment,
      isEmbedded: keepsRich ? attachment.isEmbedded : used.has(attachment.id),
    })),
    flags,
  }
  if (shown.content === '' && [shown.embeds, shown.components, shown.attachments].every(part => part.length === 0)) {
    throw new ApiRefusal('emptyMessage')
  }
  const text = [shown.content, ...allComponents(shown.components).map(component => displayed(component))].join('\n')
  const mentions = resolveMentions(
    world,
    options.channel,
    { text, authorId: options.authorId, repliedTo: options.repliedTo },
    allowed,
  )
  return { body: { ...shown, mentions }, nonce, enforcesNonce: form.enforce_nonce === true }
}

function displayed(component: JsonObject): string {
  return component.type === 10 && typeof component.content === 'string' ? component.content : ''
}

function readFlags(value: unknown, errors: FormErrors, options: MessageFormOptions): number {
  const kept = options.edited?.flags ?? 0
  if (value === undefined || value === null) return kept
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    errors.add(['flags'], 'NUMBER_TYPE_COERCE', `Value "${String(value)}" is not int.`)
    return kept
  }
  const set = value & options.settableFlags
  // A message with components of version 2 cannot be changed back.
  return (kept & ~options.settableFlags) | set | (kept & MESSAGE_FLAG.componentsV2)
}

function readNonce(value: unknown, errors: FormErrors): string | number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value)) return value
  return errors.string(['nonce'], value, { most: DISCORD_LIMITS.nonce })
}

/**
 * If an edit contains `attachments`, files that it does not list are removed. Discord documents this in reference, "Editing Message
 * Attachments".
 */
function readAttachments(
  form: JsonObject,
  files: readonly UploadedFile[],
  errors: FormErrors,
  options: MessageFormOptions,
): readonly Attachment[] {
  const existing = options.edited?.attachments ?? []
  const listed =
    form.attachments === undefined || form.attachments === null ? undefined : errors.list(['attachments'], form.attachments)
  const entries = (listed ?? []).filter(isObject)
  const described = (id: string) => {
    const index = entries.findIndex(one => String(one.id) === id)
    return errors.string(['attachments', index, 'description'], entries[index]?.description, {
      most: DISCORD_LIMITS.attachmentDescription,
    })
  }
  const named = (id: string) => {
    const entry = entries.find(one => String(one.id) === id)
    return typeof entry?.filename === 'string' ? entry.filename : undefined
  }
  for (const [index, entry] of entries.entries()) {
    const isKnown = [...existing.map(one => one.id), ...files.map(file => file.index)].includes(String(entry.id))
    if (!isKnown) {
      errors.add(['attachments', index, 'id'], 'ATTACHMENT_NOT_FOUND', 'Attachment data was not found')
    }
  }
  const kept = listed === undefined ? existing : existing.filter(one => entries.some(entry => String(entry.id) === one.id))
  const isListed = (file: UploadedFile) => listed === undefined || entries.some(entry => String(entry.id) === file.index)
  const added = files.filter(isListed).map(file => {
    const id = options.world.newId()
    const filename = (named(file.index) ?? file.filename).replaceAll(/[^\w.-]/g, '_')
    return {
      id,
      filename,
      description: described(file.index),
      contentType: file.contentType,
      content: file.content,
      url: options.attachmentUrl(id, filename),
      isEmbedded: false,
    }
  })
  if (kept.length + added.length > DISCORD_LIMITS.files) throw new ApiRefusal('tooManyFiles')
  return [...kept, ...added]
}

/** Discord documents this in resources/message, "Allowed Mentions Object". */
function readAllowedMentions(value: unknown, errors: FormErrors, unset: AllowedMentions): AllowedMentions {
  if (value === undefined || value === null) return unset
  if (!isObject(value)) {
    errors.add(['allowed_mentions'], 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType')
    return unset
  }
  const ids = (key: 'users' | 'roles') => {
    const list = errors.list(['allowed_mentions', key], value[key])
    errors.length(['allowed_mentions', key], list, { most: DISCORD_LIMITS.allowedMentionIds })
    return list.flatMap((id, index) => errors.snowflake(['allowed_mentions', key, index], id) ?? [])
  }
  const parse = errors.list(['allowed_mentions', 'parse'], value.parse).map(String)
  for (const [index, name] of parse.entries()) {
    if (!['users', 'roles', 'everyone'].includes(name)) {
      errors.choices(['allowed_mentions', 'parse', index], ['roles', 'users', 'everyone'])
    }
  }
  const users = ids('users')
  const roles = ids('roles')
  for (const [key, list] of Object.entries({ users, roles })) {
    if (parse.includes(key) && list.length > 0) {
      const message = `parse:["${key}"] and ${key}: [ids...] are mutually exclusive.`
      errors.add(['allowed_mentions'], 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', message)
    }
  }
  return { parse, users, roles, repliedUser: value.replied_user === true }
}
