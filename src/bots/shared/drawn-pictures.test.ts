import { describe, expect, it } from '@jest/globals'
import pino from 'pino'
import type { Picture } from '../../charts/picture.ts'
import type { ChatTarget, RenderedPart } from '../../chat/platform.ts'
import { createDrawnPictures } from './drawn-pictures.ts'

const PART = {} as RenderedPart
const PICTURE = {} as Picture
const TARGET = { platform: 'slack', thread: 'T1' } as unknown as ChatTarget

describe('createDrawnPictures', () => {
  it('draws a part once, and again after an abort', async () => {
    let calls = 0
    const drawn = createDrawnPictures(
      async (_, { signal }) => {
        calls += 1
        signal?.throwIfAborted()
        return new Uint8Array([calls])
      },
      pino({ level: 'silent' }),
    )
    await expect(drawn(PART, PICTURE, TARGET, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
    const { signal } = new AbortController()
    expect(await drawn(PART, PICTURE, TARGET, signal)).toEqual(new Uint8Array([2]))
    expect(await drawn(PART, PICTURE, TARGET, signal)).toEqual(new Uint8Array([2]))
  })
})
