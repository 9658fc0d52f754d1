import { CronExpressionParser } from 'cron-parser'
import { errorMessage } from '../errors.ts'

/**
 * What is wrong with a schedule, in words that can stand behind the name of the field; undefined where nothing is. Read by the parser that the queue itself goes by
 * (cron-parser, of BullMQ's version), so that what passes here can be scheduled.
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
    // Its first time too: the parser takes some days that never come.
    CronExpressionParser.parse(schedule, { tz }).next()
    return undefined
  } catch (error) {
    const reason = errorMessage(error).replace(/(?<![.\s])[.\s]+$/, '')
    return `schedule: ${schedule} is not a cron expression (${reason}): write minute, hour, day, month and weekday, e.g. "0 6 * * *"`
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
