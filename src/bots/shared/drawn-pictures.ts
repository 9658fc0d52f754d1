import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import type { DrawingRequest } from '../../charts/drawer.ts'
import type { Picture } from '../../charts/picture.ts'
import type { ChatTarget, RenderedPart } from '../../chat/platform.ts'

/** Draws a chart or graph as PNG. */
export type DrawPicture = (picture: Picture, request: DrawingRequest) => Uint8Array | Promise<Uint8Array>

/**
 * Draws a part's picture once, and returns the same drawing at later posts and edits of the part. Undefined if it cannot be
 * drawn.
 * @throws the signal's reason
 */
export type DrawnPictures = (
  part: RenderedPart,
  picture: Picture | undefined,
  target: ChatTarget,
  signal: AbortSignal,
) => Promise<Uint8Array | undefined>

export function createDrawnPictures(draw: DrawPicture | undefined, logger: Logger): DrawnPictures {
  const drawn = new WeakMap<RenderedPart, Promise<Uint8Array | undefined>>()

  async function drawFor(picture: Picture, { platform, author, thread }: ChatTarget, signal: AbortSignal) {
    try {
      return await draw?.(picture, { person: `${platform}/${author ?? thread}`, signal })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      logger.warn({ cause: errorMessage(error) }, 'a picture could not be drawn; the answer goes without it')
      return undefined
    }
  }

  return async (part, picture, target, signal) => {
    if (picture === undefined || draw === undefined) return undefined
    const known = drawn.get(part)
    if (known !== undefined) return known
    const drawing = drawFor(picture, target, signal)
    drawn.set(part, drawing)
    // A failed or aborted drawing is forgotten, so the next post draws again.
    drawing.catch(() => drawn.delete(part))
    return drawing
  }
}
