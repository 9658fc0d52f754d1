import { expect, it } from '@jest/globals'
import { ChatError } from '../../chat/error.ts'
import { DELIVERY_LIMITS } from '../limits.ts'
import { postOnce } from './post-once.ts'
import type { PartClaim, RunLedger } from './run-ledger.ts'

const unused = () => Promise.reject(new Error('not asked for here'))

it('delays the thread if a platform allows reading but takes no posts', async () => {
  let posts = 0
  let claims = 0
  /** As in Redis, a doubtful post holds the part until it can no longer arrive. */
  const claim = async (): Promise<PartClaim> => {
    claims += 1
    return claims % 2 === 0 ? { kind: 'held', expiresInMs: 1 } : { kind: 'claimed', number: claims, isDoubtful: claims > 1 }
  }
  const ledger = {
    claim,
    isHeld: async () => false,
    renew: async () => true,
    unclaim: async () => undefined,
    channel: 'run',
    posted: unused,
    record: unused,
    wasTried: unused,
    moveToStream: unused,
    doubtful: unused,
    final: unused,
    saveFinal: unused,
    assertLatest: unused,
  } satisfies RunLedger
  const outbox = {
    find: async () => [],
    post: () => {
      posts += 1
      return Promise.reject(new ChatError('upstream connect error', { kind: 'unavailable' }))
    },
  }
  const watcher = { wait: async () => undefined, close: async () => undefined }
  const target = { platform: 'discord', workspace: 'g', channel: 'c', thread: 't', isDirect: false } as const
  const posting = postOnce(
    { outbox, ledger, watcher, target },
    { part: '1', marker: 'run-1', rendered: {} },
    AbortSignal.timeout(20_000),
  )
  await expect(posting).rejects.toMatchObject({ code: 'thread_must_wait', waitMs: DELIVERY_LIMITS.unavailableWaitMs })
  expect(posts).toBe(1 + DELIVERY_LIMITS.retries.attempts)
})
