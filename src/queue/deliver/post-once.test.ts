import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { ChatError } from '../../chat/error.ts'
import { DELIVERY_LIMITS } from '../limits.ts'
import { postOnce, tryToPost } from './post-once.ts'
import type { PartClaim, RunLedger } from './run-ledger.ts'

const unused = () => Promise.reject(new Error('not asked for here'))

const target = { platform: 'discord', workspace: 'g', channel: 'c', thread: 't', isDirect: false } as const
const wanted = { part: '1', marker: 'run-1', rendered: {} }

function ledgerWith(claim: RunLedger['claim']): RunLedger {
  return {
    claim,
    isHeld: async () => false,
    renew: async () => true,
    unclaim: async () => undefined,
    channel: 'run',
    posted: async () => undefined,
    record: async (_part, posted) => posted,
    doubt: unused,
    wasTried: unused,
    moveToStream: unused,
    doubtful: unused,
    final: unused,
    saveFinal: unused,
    assertLatest: unused,
  }
}

it('delays the thread if a platform allows reading but takes no posts', async () => {
  let posts = 0
  let claims = 0
  /**
   * Behaves as the ledger in Redis does. A post may have arrived although it failed. The part is then held until the post can no longer arrive.
   */
  const ledger = ledgerWith(async (): Promise<PartClaim> => {
    claims += 1
    return claims % 2 === 0 ? { kind: 'held', expiresInMs: 1 } : { kind: 'claimed', number: claims, isDoubtful: claims > 1 }
  })
  const outbox = {
    find: async () => [],
    post: () => {
      posts += 1
      return Promise.reject(new ChatError('upstream connect error', { kind: 'unavailable' }))
    },
  }
  const watcher = { wait: async () => undefined, close: async () => undefined }
  const posting = postOnce({ outbox, ledger, watcher, target }, wanted, AbortSignal.timeout(20_000))
  await expect(posting).rejects.toMatchObject({ code: 'thread_must_wait', waitMs: DELIVERY_LIMITS.unavailableWaitMs })
  expect(posts).toBe(1 + DELIVERY_LIMITS.retries.attempts)
})

it('draws a picture and waits for a turn before it claims a part, so that a death before it keeps nobody from the part', async () => {
  const steps: string[] = []
  const ledger = ledgerWith(async () => {
    steps.push('claimed')
    return { kind: 'claimed', number: 1, isDoubtful: false }
  })
  const outbox = {
    prepare: async () => {
      steps.push('drawing')
      await nextTurn()
      steps.push('drawn')
    },
    find: async () => [],
    post: async () => ({ id: 'm1' }),
  }
  const untilTurn = async () => {
    steps.push('waited')
    await nextTurn()
    steps.push('in turn')
  }
  expect(await tryToPost({ outbox, ledger, target, untilTurn }, wanted, AbortSignal.timeout(20_000))).toMatchObject({
    fresh: true,
  })
  expect(steps).toEqual(['drawing', 'drawn', 'waited', 'in turn', 'claimed'])
})
