import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { Logger } from '../../../base/logger.ts'
import { ChatError } from '../../../chat/error.ts'
import type { SlackPart } from './part.ts'

/** The fields that posts, edits and ephemeral messages share. */
export interface SlackContent {
  readonly text: string
  readonly blocks: KnownBlock[]
  readonly parse: 'none'
  readonly link_names: false
}

/**
 * Sends a part with its blocks. If Slack refuses them, tries without the newest block types, and then as plain text. Plain text
 * is sent with an empty list of blocks, because an edit without the list would keep the old blocks.
 * @throws ChatError
 */
export async function sendContent<T>(
  { text, blocks }: Pick<SlackPart, 'text' | 'blocks'>,
  logger: Logger,
  send: (content: SlackContent) => Promise<T>,
): Promise<T> {
  const established = blocks.flatMap(establishedBlock)
  const isNew = established.some((block, index) => block !== blocks[index]) || established.length !== blocks.length
  const [first = [], ...others] = [blocks, ...(isNew ? [established] : []), ...(blocks.length > 0 ? [[]] : [])]
  const attempt = (shown: SlackPart['blocks']) =>
    // The cast is safe: `pieceBlocks` makes only valid blocks, and Slack itself checks them too.
    send({ text, blocks: shown as unknown as KnownBlock[], parse: 'none', link_names: false })
  return others.reduce(
    (sent, simpler) =>
      sent.catch((error: unknown) => {
        if (!(error instanceof ChatError) || error.kind !== 'rejected') throw error
        logger.warn({ cause: error.message }, 'slack refused the blocks; sending simpler ones')
        return attempt(simpler)
      }),
    attempt(first),
  )
}

const dataTableSchema = z.object({ type: z.literal('data_table'), rows: z.array(z.array(z.looseObject({ type: z.string() }))) })

/** Replaces block types that are new in 2026: a paged table becomes a plain table, and a chart is left out. */
function establishedBlock(block: SlackPart['blocks'][number]): readonly SlackPart['blocks'][number][] {
  if (block.type === 'data_visualization') return []
  const table = dataTableSchema.safeParse(block)
  if (!table.success) return [block]
  const rows = table.data.rows.map(row =>
    row.map(cell => (cell.type === 'raw_number' ? { type: 'raw_text', text: cell.text } : cell)),
  )
  return [{ type: 'table', rows }]
}
