import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import { SIZES } from '../sizes.ts'
import { breather } from '../slices.ts'

/**
 * Compresses a long text piece by piece, in slices. Ten megabytes at once would block the event loop.
 * @returns base64; undefined if the text is larger than a record may be
 */
export async function packText(pieces: Iterable<string>): Promise<string | undefined> {
  let bytes = 0
  async function* bounded(): AsyncGenerator<string, void> {
    const breathe = breather()
    for (const piece of pieces) {
      bytes += Buffer.byteLength(piece)
      if (bytes > SIZES.recordBytes) return
      yield piece
      await breathe()
    }
  }
  const packed: Buffer[] = await Readable.from(bounded(), { highWaterMark: 1 })
    .pipe(createGzip({ level: 1 }))
    .toArray()
  return bytes > SIZES.recordBytes ? undefined : Buffer.concat(packed).toString('base64')
}

/**
 * Decompresses a text.
 * @throws if `packText` did not write it
 */
export async function unpackText(packed: string): Promise<Buffer> {
  return promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: SIZES.recordBytes })
}
