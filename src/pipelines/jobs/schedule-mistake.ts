import { CronExpressionParser } from 'cron-parser'
import { errorMessage } from '../../base/errors.ts'
import { isTimeZone } from '../../base/time-zone.ts'

/**
 * Returns the fault of a schedule as a phrase after the field's name, or undefined. It uses the queue's own parser (cron-parser in BullMQ's version),
 * so that an accepted schedule works.
 */
export function scheduleMistake({
  schedule,
  time_zone: tz,
}: {
  readonly schedule?: string | undefined
  readonly time_zone: string
}): string | undefined {
  if (!isTimeZone(tz)) return `time_zone: ${tz} is not a time zone: name one such as Europe/Berlin`
  if (schedule === undefined) return undefined
  try {
    // Also compute its first time: the parser accepts some days that never come.
    CronExpressionParser.parse(schedule, { tz }).next()
    return undefined
  } catch (error) {
    const reason = errorMessage(error).replace(/(?<![.\s])[.\s]+$/, '')
    return `schedule: ${schedule} is not a cron expression (${reason}): write minute, hour, day, month and weekday, e.g. "0 6 * * *"`
  }
}
