import { DISCORD_LIMITS } from './discord-limits.ts'
import type { FormErrors } from './form-errors.ts'
import { isObject, type JsonObject } from './json.ts'

type Path = readonly (string | number)[]

/** Returns the address of an uploaded file by its name. Embeds and components refer to a file as `attachment://name`. */
export type FindUpload = (name: string) => string | undefined

/**
 * Checks the field `embeds` of a message, and adds mistakes to `errors`. Discord documents it in resources/message, "Embed Structure" and "Embed
 * Limits".
 * @returns the embeds as Discord stores them: trimmed, of type `rich`, with the addresses of uploads
 */
export function readEmbeds(value: unknown, errors: FormErrors, findUpload: FindUpload): readonly JsonObject[] {
  const list = errors.list(['embeds'], value)
  if (!errors.length(['embeds'], list, { most: DISCORD_LIMITS.embeds })) return []
  let total = 0
  return list.map((item, index) => {
    const path = ['embeds', index]
    if (!isObject(item)) {
      errors.add(path, 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType')
      return {}
    }
    const embed = readEmbed(path, item, errors, findUpload)
    const isOver = total > DISCORD_LIMITS.embedTotal
    total += embedLength(embed)
    if (!isOver && total > DISCORD_LIMITS.embedTotal) {
      errors.add(path, 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${DISCORD_LIMITS.embedTotal}`)
    }
    return embed
  })
}

function readEmbed(path: Path, embed: JsonObject, errors: FormErrors, findUpload: FindUpload): JsonObject {
  const text = (key: string, value: unknown, most: number, required = false) =>
    errors.string([...path, ...key.split('.')], value, { most, required, least: required ? 1 : 0 })?.trim()
  const media = (key: 'image' | 'thumbnail') => {
    const value = embed[key]
    if (!isObject(value)) return undefined
    const url = readUrl([...path, key, 'url'], value.url, errors, findUpload)
    return url === undefined ? undefined : { url, proxy_url: url, width: 0, height: 0 }
  }

  const footer = isObject(embed.footer)
    ? { text: text('footer.text', embed.footer.text, DISCORD_LIMITS.embedFooter, true) }
    : undefined
  const author = isObject(embed.author)
    ? {
        name: text('author.name', embed.author.name, DISCORD_LIMITS.embedAuthor, true),
        url: readUrl([...path, 'author', 'url'], embed.author.url, errors),
        icon_url: readUrl([...path, 'author', 'icon_url'], embed.author.icon_url, errors, findUpload),
      }
    : undefined
  const read = {
    type: 'rich',
    title: text('title', embed.title, DISCORD_LIMITS.embedTitle),
    description: text('description', embed.description, DISCORD_LIMITS.embedDescription),
    url: readUrl([...path, 'url'], embed.url, errors),
    timestamp: readTimestamp([...path, 'timestamp'], embed.timestamp, errors),
    color: readColor([...path, 'color'], embed.color, errors),
    footer,
    author,
    image: media('image'),
    thumbnail: media('thumbnail'),
    fields: readFields([...path, 'fields'], embed.fields, errors),
  }
  const isEmpty = [read.title, read.description].every(part => part === undefined || part === '')
  const hasOther = [footer, author, read.image, read.thumbnail].some(part => part !== undefined)
  if (isEmpty && !hasOther && read.fields.length === 0) errors.required([...path, 'description'])
  return withoutUndefined({ ...read, fields: read.fields.length === 0 ? undefined : read.fields })
}

function readFields(path: Path, value: unknown, errors: FormErrors): readonly JsonObject[] {
  const fields = errors.list(path, value)
  if (!errors.length(path, fields, { most: DISCORD_LIMITS.embedFields })) return []
  return fields.map((field, index) => {
    const at = [...path, index]
    const from = isObject(field) ? field : {}
    const rule = { least: 1, required: true }
    return {
      name: errors.string([...at, 'name'], from.name, { ...rule, most: DISCORD_LIMITS.embedFieldName })?.trim(),
      value: errors.string([...at, 'value'], from.value, { ...rule, most: DISCORD_LIMITS.embedFieldValue })?.trim(),
      inline: from.inline === true,
    }
  })
}

/** Checks a web address and returns it. Accepts http and https. Also accepts an uploaded file if `findUpload` is given. */
export function readUrl(path: Path, value: unknown, errors: FormErrors, findUpload?: FindUpload): string | undefined {
  const text = errors.string(path, value, { most: 2_048 })
  if (text === undefined || text === '') return undefined
  if (text.startsWith('attachment://') && findUpload !== undefined) {
    const url = findUpload(text.slice('attachment://'.length))
    if (url === undefined) errors.add(path, 'ATTACHMENT_NOT_FOUND', 'The referenced attachment was not found')
    return url
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== 'http' && scheme !== 'https') {
    errors.add(
      path,
      'URL_TYPE_INVALID_SCHEME',
      `Scheme "${scheme ?? ''}" is not supported. Scheme must be one of ('http', 'https').`,
    )
    return undefined
  }
  if (!URL.canParse(text)) {
    errors.add(path, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.')
    return undefined
  }
  return text
}

function readTimestamp(path: Path, value: unknown, errors: FormErrors): string | undefined {
  const text = errors.string(path, value, { most: 64 })
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return new Date(time).toISOString().replace('Z', '000+00:00')
  errors.add(path, 'DATE_TIME_TYPE_PARSE', `Could not parse ${text}. Should be ISO8601.`)
  return undefined
}

function readColor(path: Path, value: unknown, errors: FormErrors): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffffff) return value
  errors.add(path, 'NUMBER_TYPE_MAX', 'int value should be less than or equal to 16777215.')
  return undefined
}

/** Adds up the characters of an embed. Discord limits the sum to 6,000. */
function embedLength(embed: JsonObject): number {
  const { title, description, footer, author, fields } = embed
  const parts = [
    title,
    description,
    isObject(footer) ? footer.text : undefined,
    isObject(author) ? author.name : undefined,
    ...(Array.isArray(fields) ? fields.flatMap(field => (isObject(field) ? [field.name, field.value] : [])) : []),
  ]
  return parts.reduce<number>((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0)
}

function withoutUndefined(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, isObject(value) ? withoutUndefined(value) : value]),
  )
}
