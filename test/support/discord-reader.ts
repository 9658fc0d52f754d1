import { type DiscordPayload, isMarkerAddress } from '../../src/bots/discord/post/payload.ts'
import { type DiscordEmulator, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import { readMessageForm } from '../emulators/discord/message-form.ts'
import { PERMISSIONS } from '../emulators/discord/permissions.ts'
import { Transcript } from '../emulators/discord/transcript.ts'

const UPLOADS = 'https://cdn.discordapp.com/'

/** A message as a person sees it, with the contents of its text files. */
export interface ReadMessage {
  readonly text: string
  readonly pings: readonly string[]
  readonly unfolded: readonly string[]
  /** The links that people see. Invisible addresses, which Clew uses as marks, are not included. */
  readonly links: readonly string[]
}

/** Renders a message as Discord would show it, without posting it. */
export interface DiscordReader {
  /** @throws ApiRefusal if Discord would refuse it */
  read(payload: DiscordPayload): ReadMessage
  readonly discord: DiscordEmulator
  close(): Promise<void>
}

export async function startDiscordReader(): Promise<DiscordReader> {
  const discord = await startDiscordEmulator()
  // The bot may mention everybody here. So the test sees any mention that Clew fails to escape.
  const { id } = discord.world.addRole(discord.guild, { name: 'loud', permissions: PERMISSIONS.MENTION_EVERYONE })
  discord.world.giveRole(discord.guild, discord.botUserId, id)
  const transcript = new Transcript({ world: discord.world, ownUploads: UPLOADS })
  return {
    discord,
    read({ body, files }) {
      const uploaded = files.map(({ name, data, contentType }, index) => ({
        index: String(index),
        filename: name,
        contentType,
        content: Buffer.from(data as Uint8Array),
      }))
      const form = readMessageForm({ ...body }, uploaded, {
        world: discord.world,
        channel: discord.channel('general'),
        authorId: discord.botUserId,
        attachmentUrl: (id, filename) => `${UPLOADS}${id}/${filename}`,
        defaultMentions: { parse: ['users', 'roles', 'everyone'], users: [], roles: [], repliedUser: true },
        settableFlags: body.flags,
      })
      const { plain, pings, links, unfolded } = transcript.render(form.body)
      const texts = uploaded.filter(file => file.contentType === 'text/markdown').map(file => file.content.toString())
      return { text: [plain, ...texts].join('\n'), pings, unfolded, links: links.filter(link => !isMarkerAddress(link)) }
    },
    close: () => discord.close(),
  }
}
