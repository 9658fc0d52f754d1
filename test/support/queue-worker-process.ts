import { createLogger } from '../../src/logger.ts'
import { OPEN_ADMISSION } from '../../src/queue/admission.ts'
import { createQueueWorker } from '../../src/queue/queue-worker.ts'
import { closeRedis, connectRedis } from '../../src/store/redis-connection.ts'
import { createFakePlatform } from './fake-platform.ts'
import { createScriptedAnswer } from './scripted-answer.ts'

// A worker as a process of its own, to be killed: `node queue-worker-process.js REDIS_URL CONCURRENCY GRACE_MS`.

const [url = '', concurrency = '4', graceMs = '1000'] = process.argv.slice(2)
const logger = createLogger({ level: 'warn' })
const redis = await connectRedis({ url, role: 'worker', logger })
const worker = createQueueWorker({
  redis,
  admission: OPEN_ADMISSION,
  answer: createScriptedAnswer(redis),
  destinations: { slack: { outbox: createFakePlatform(redis).outbox, progressEditsPerMinute: 6000 } },
  concurrency: Number(concurrency),
  now: Date.now,
  logger,
})
process.once('SIGTERM', async () => {
  await worker.close(Number(graceMs))
  await closeRedis(redis)
  process.stdout.write('closed\n')
})
await worker.start()
process.stdout.write('started\n')
