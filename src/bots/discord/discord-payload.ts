import { createHash } from 'node:crypto'
import type { RawFile } from 'discord.js'
import { pictureFileName, pictureText } from '../../agent/picture-text.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import type { DiscordPart } from './discord-part.ts'

/** resources/message, "Message Flags". */
export const MESSAGE_FLAGS = { suppressEmbeds: 1 << 2, ephemeral: 1 << 6, loading: 1 << 7 } as const

/** The body of a request that posts or edits a message, and the files that go with it. */
export interface DiscordPayload {
  readonly body: { readonly content: string; readonly flags: number; readonly [key: string]: unknown }
  readonly files: RawFile[]
  /** Progress, which something else soon replaces: it is not brought to anybody by another way. */
  readonly isPassing: boolean
}

const WHOLE_MESSAGE = 'message.md'

/** A file with what is read out in its place. */
type DescribedFile = RawFile & { readonly description?: string }

/**
 * A part as an embed. All is set, so that an edit leaves nothing of what stood there before.
 * @param address a marker's: that of the embed, which Discord shows nowhere as the embed has no title, and hands back with the message (the nonce of a
 * message is not kept with it)
 * @param drawn the part's picture as PNG
 */
export function richPayload(part: DiscordPart, address: string | undefined, drawn: Uint8Array | undefined): DiscordPayload {
  const files = [...textFiles(part), ...pictureFiles(part, drawn)]
  if (part.color === undefined)
    return payload(part, part.text, { flags: MESSAGE_FLAGS.suppressEmbeds, embeds: [], components: part.buttons }, files)
  const embed = {
    description: part.text,
    color: part.color,
    ...(address === undefined ? {} : { url: address }),
    ...pictureFiles(part, drawn).map(({ name }) => ({ image: { url: `attachment://${name}` } }))[0],
  }
  return payload(part, '', { flags: 0, embeds: [embed], components: part.buttons }, files)
}

/** The same part as plain text without buttons, for where Discord refuses the embed. What does not fit is attached. */
export function plainPayload(part: DiscordPart, drawn?: Uint8Array): DiscordPayload {
  const files = [...textFiles(part), ...pictureFiles(part, drawn)]
  const isWhole = part.text.length <= DISCORD_LIMITS.content
  if (!isWhole) files.push({ name: WHOLE_MESSAGE, data: Buffer.from(part.text), contentType: 'text/markdown' })
  const content = isWhole ? part.text : `${cutMarkdown(part.text)}\n-# The rest is in \`${WHOLE_MESSAGE}\`.`
  return payload(part, content, { flags: MESSAGE_FLAGS.suppressEmbeds, embeds: [], components: [] }, files)
}

function payload(
  part: DiscordPart,
  content: string,
  fields: { readonly flags: number; readonly embeds: readonly object[]; readonly components: readonly object[] },
  files: DescribedFile[],
): DiscordPayload {
  return {
    body: {
      content,
      ...fields,
      allowed_mentions: { parse: [], ...(part.mentions === undefined ? {} : { users: [part.mentions] }) },
      attachments: files.map(({ name, description }, id) => ({
        id,
        filename: name,
        ...(description === undefined ? {} : { description }),
      })),
    },
    files: files.map(({ description: _, ...file }) => file),
    isPassing: part.isPassing === true,
  }
}

function textFiles({ files }: DiscordPart): DescribedFile[] {
  return files.map(({ name, text }) => ({ name, data: Buffer.from(text), contentType: 'text/markdown' }))
}

function pictureFiles({ chart }: DiscordPart, drawn: Uint8Array | undefined): DescribedFile[] {
  if (chart === undefined || drawn === undefined) return []
  const description = pictureText(chart, DISCORD_LIMITS.attachmentDescription)
  return [{ name: pictureFileName(chart), data: drawn, contentType: 'image/png', description }]
}

/** The lines that fit into a message's content, with a fence that was cut closed again. */
function cutMarkdown(text: string): string {
  const head = text.slice(0, DISCORD_LIMITS.content - 100)
  const lines = head.includes('\n') ? head.slice(0, head.lastIndexOf('\n')) : head.replace(/(?<!\\)\\+$/, '')
  const isOpen = (lines.match(/```/g)?.length ?? 0) % 2 === 1
  return isOpen ? `${lines}\n\`\`\`` : lines
}

/** A marker as Discord's nonce, which has at most 25 characters. */
export function nonceOf(marker: string): string {
  return marker.length <= DISCORD_LIMITS.nonce
    ? marker
    : createHash('sha256').update(marker).digest('base64url').slice(0, DISCORD_LIMITS.nonce)
}

const MARKER_ADDRESS = 'https://discord.com/#'

export function markerAddress(marker: string): string {
  return MARKER_ADDRESS + encodeURIComponent(marker)
}

export function isMarkerAddress(address: string): boolean {
  return address.startsWith(MARKER_ADDRESS)
}
