import { CronExpressionParser } from 'cron-parser'
import { errorMessage } from '../../base/errors.ts'
import { isTimeZone } from '../../base/time-zone.ts'

/**
 * Returns the mistake in a schedule as a phrase that follows the field's name. Returns undefined if there is none. The parser is that of the queue
 * (cron-parser in the version of BullMQ), so that an accepted schedule works.
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
    // Computes the first time too, since the parser accepts days that never come, such as 30 February.
    CronExpressionParser.parse(schedule, { tz }).next()
    return undefined
  } catch (error) {
    const reason = errorMessage(error).replace(/(?<![.\s])[.\s]+$/, '')
    return `schedule: ${schedule} is not a cron expression (${reason}): write minute, hour, day, month and weekday, e.g. "0 6 * * *"`
  }
}
