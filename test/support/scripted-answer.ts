import { setTimeout as wait } from 'node:timers/promises'
import type { PressHandler } from '../../src/chat/press-handler.ts'
import type { AnswerMessage } from '../../src/queue/drain/answer-message.ts'
import type { RedisClient } from '../../src/store/redis/client.ts'
import { PART_BREAK } from './fake-platform.ts'

/** Writes each press into the Redis list `fake:presses`. A press with an id that begins with `die` kills this process. */
export function createScriptedPress(redis: RedisClient): PressHandler {
  return async ({ pressId }) => {
    await redis.rpush('fake:presses', pressId)
    if (pressId.startsWith('die')) process.kill(process.pid, 'SIGKILL')
    return { markdown: `to ${pressId}` }
  }
}

/**
 * Follows the commands in the message, then answers with its text. Commands: `wait MS`, `block MS` (the whole event loop, the first time), `progress
 * N` (steps of 20 ms), `throw`, `die` (kill -9 of this process, until the key `fake:mended` exists), `parts N`, `unrenderable`. Records each start in the list `fake:runs`.
 */
export function createScriptedAnswer(redis: RedisClient): AnswerMessage {
  return async ({ message, runId }, context, signal) => {
    await redis.rpush('fake:runs', JSON.stringify({ text: message.text, runId, process: process.pid, at: Date.now() }))
    const [verb, argument] = message.text.split(' ')
    const number = Number(argument)
    if (verb === 'wait') await wait(number, undefined, { signal })
    if (verb === 'block' && (await redis.incr(`fake:blocked:${runId}`)) === 1) {
      blockEventLoop(number)
      await redis.rpush('fake:woken', runId)
    }
    if (verb === 'throw') throw new Error('secret inside')
    if (verb === 'die' && (await redis.exists('fake:mended')) === 0) process.kill(process.pid, 'SIGKILL')
    for (let step = 1; verb === 'progress' && step <= number; step += 1) {
      context.progress(() => ({ lines: [`step ${step}`] }))
      await wait(20, undefined, { signal })
    }
    const parts =
      verb === 'parts' ? Array.from({ length: number }, (_, index) => `part ${index + 1}`) : [`answer: ${message.text}`]
    return { kind: 'answer', markdown: parts.join(PART_BREAK) }
  }
}

function blockEventLoop(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
