import { gzipSync } from 'node:zlib'
import type { RawFile } from 'discord.js'
import type { AttachedFile } from '../../../chat/reply.ts'
import { DISCORD_LIMITS } from '../limits.ts'

/** Divides files into messages that Discord accepts. Compresses files that are too large. */
export function filesByMessage(files: readonly AttachedFile[]): readonly (readonly RawFile[])[] {
  const messages: RawFile[][] = []
  let room = 0
  for (const file of files.map(fitting)) {
    const size = file.data.length
    if (size > room || (messages.at(-1)?.length ?? 0) === DISCORD_LIMITS.files) {
      messages.push([])
      room = DISCORD_LIMITS.requestBytes
    }
    messages.at(-1)?.push(file)
    room -= size
  }
  return messages
}

function fitting({ name, mediaType, content }: AttachedFile): RawFile & { readonly data: Uint8Array & Buffer } {
  if (content.length <= DISCORD_LIMITS.fileBytes) return { name, data: Buffer.from(content), contentType: mediaType }
  return { name: `${name}.gz`, data: gzipSync(content), contentType: 'application/gzip' }
}
