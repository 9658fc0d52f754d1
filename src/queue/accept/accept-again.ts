import { redisScript, runScript } from '../../store/redis/script.ts'
import { askerName } from '../asker.ts'
import { QUEUE_LIMITS } from '../limits.ts'
import { THREAD_INDEX, threadKeys, threadName } from '../thread-keys.ts'
import { type AcceptedMessage, writeAccepted } from './accepted-message.ts'
import { type AcceptorDeps, TOUCH_INDEX } from './acceptor.ts'

// The run's reply may be the failure for which the message was given up. So the message gets a new one, which is shown in place
// of the parts that the run has shown.
const RESTORE = redisScript(`
  local seen, pending, messages, run = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
  local id, order, payload, seen_ms = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
  if redis.call('ZSCORE', pending, id) then return end
  redis.call('SET', seen, '1', 'PX', seen_ms)
  redis.call('HDEL', run, 'final')
  redis.call('HSET', messages, id, payload)
  redis.call('ZADD', pending, order, id)
`)

/**
 * Puts a message that was given up back into its thread, under the id of its run. Does nothing if the message waits there already.
 * @throws StoreError
 */
export async function acceptAgain(
  { redis, queue, runs }: Pick<AcceptorDeps, 'redis' | 'queue' | 'runs'>,
  accepted: AcceptedMessage,
  signal: AbortSignal,
): Promise<void> {
  const { message, runId } = accepted
  const thread = threadName(message.place)
  const { seen, pending, messages, run } = threadKeys(thread)
  await runs.note(accepted, signal)
  await runScript(redis, TOUCH_INDEX, [THREAD_INDEX], [thread])
  const where = [seen(message.messageId), pending, messages, run(runId)]
  const payload = writeAccepted(redis.stateKey, thread, accepted)
  await runScript(redis, RESTORE, where, [message.messageId, message.order, payload, QUEUE_LIMITS.seenMs])
  await queue.wake(thread, { asker: askerName(message.place, message.author), afterActive: true })
}
