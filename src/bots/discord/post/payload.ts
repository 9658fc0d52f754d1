import { createHash } from 'node:crypto'
import type { RawFile } from 'discord.js'
import { pictureFileName, pictureText } from '../../../charts/picture-text.ts'
import { DISCORD_LIMITS } from '../limits.ts'
import type { DiscordPart } from '../render/part.ts'

/** The bits of a message's `flags`. Source: discord.com/developers/docs/resources/message, "Message Flags". */
export const MESSAGE_FLAGS = { suppressEmbeds: 1 << 2, ephemeral: 1 << 6, loading: 1 << 7 } as const

/** The body and the files of a request that posts or edits a message. */
export interface DiscordPayload {
  readonly body: { readonly content: string; readonly flags: number; readonly [key: string]: unknown }
  readonly files: RawFile[]
  /** Whether the message shows progress. Progress is not sent by direct message, because the answer soon replaces it. */
  readonly isPassing: boolean
}

const WHOLE_MESSAGE = 'message.md'

type DescribedFile = RawFile & { readonly description?: string }

/**
 * Builds a part as an embed. All fields are set, so that an edit removes the previous content.
 * @param address the post's marker in the form of an address. It becomes the embed's URL, which Discord does not show, because
 * the embed has no title. Discord returns this URL with the message, but does not return the nonce.
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

/**
 * Builds the part as plain text without buttons. It is sent if Discord refuses the embed. A text that does not fit is attached as
 * a file.
 */
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

/** Cuts a text at a line end, so that it fits into a message. Closes a code fence that the cut leaves open. */
function cutMarkdown(text: string): string {
  const head = text.slice(0, DISCORD_LIMITS.content - 100)
  const lines = head.includes('\n') ? head.slice(0, head.lastIndexOf('\n')) : head.replace(/(?<!\\)\\+$/, '')
  const isOpen = (lines.match(/```/g)?.length ?? 0) % 2 === 1
  return isOpen ? `${lines}\n\`\`\`` : lines
}

/** Turns a marker (the text by which Clew recognises its post) into a Discord nonce of at most 25 characters. */
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
