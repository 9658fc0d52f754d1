import { fileURLToPath } from 'node:url'
import { createLogger } from '../../src/base/logger.ts'
import { OPEN_ADMISSION } from '../../src/queue/accept/admission.ts'
import { createDoLoneTask } from '../../src/queue/alone/do-lone-task.ts'
import { createLoneProcesses } from '../../src/queue/alone/processes.ts'
import { serveLoneProcess } from '../../src/queue/alone/serve-lone-process.ts'
import { openDrainParts } from '../../src/queue/drain/drain-parts.ts'
import { createAnswerPress, createPressWorker } from '../../src/queue/presses/worker.ts'
import { createQueueWorker } from '../../src/queue/queue-worker.ts'
import { closeRedis, connectRedis } from '../../src/store/redis/connection.ts'
import { createFakePlatform } from './fake-platform.ts'
import { createScriptedAnswer, createScriptedPress } from './scripted-answer.ts'
import { TEST_STATE_KEY } from './state-key.ts'

// A worker as a separate process that can be killed: `node queue-worker-process.js REDIS_URL CONCURRENCY GRACE_MS`. With `alone` as the fourth
// argument, it starts as the lone process of one message.

const [url = '', concurrency = '4', graceMs = '1000', role] = process.argv.slice(2)
const logger = createLogger({ level: 'warn' })

async function open() {
  const redis = await connectRedis({ stateKey: TEST_STATE_KEY, url, role: 'worker', logger })
  const destinations = { slack: { outbox: createFakePlatform(redis).outbox, progressEditsPerMinute: 6000 } }
  const message = { redis, admission: OPEN_ADMISSION, answer: createScriptedAnswer(redis), destinations, now: Date.now, logger }
  return { redis, message, press: { handle: createScriptedPress(redis), destinations, logger } }
}

if (role === 'alone') {
  await serveLoneProcess(async () => {
    const { message, press } = await open()
    const doJob = async () => undefined
    return createDoLoneTask({ message: openDrainParts(message).deps, answerPress: createAnswerPress(press), doJob })
  })
} else {
  const { redis, message, press } = await open()
  const args = [url, concurrency, graceMs, 'alone']
  const alone = createLoneProcesses({ entry: fileURLToPath(import.meta.url), args, env: {}, logger })
  const worker = createQueueWorker({ ...message, alone, concurrency: Number(concurrency) })
  const presses = createPressWorker({ ...press, redis, alone })
  process.once('SIGTERM', async () => {
    await presses.close(Number(graceMs))
    await worker.close(Number(graceMs))
    alone.close()
    await closeRedis(redis)
    process.stdout.write('closed\n')
  })
  await worker.start()
  presses.start()
  process.stdout.write('started\n')
}
