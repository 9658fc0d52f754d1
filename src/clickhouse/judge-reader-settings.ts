import { EXACT_OUTPUT_SETTINGS, READER_LIMIT_SETTINGS } from './limits.ts'

/** Ends a read when Clew closes its connection, so that a stopped question stops in the server too. The server's default is 0. */
export const CLIENT_CLOSE_SETTING = 'cancel_http_readonly_queries_on_client_close'

/** The settings that are looked at. */
export const JUDGED_SETTINGS: readonly string[] = [
  'readonly',
  CLIENT_CLOSE_SETTING,
  ...Object.keys(EXACT_OUTPUT_SETTINGS),
  ...Object.keys(READER_LIMIT_SETTINGS),
]

/** For these 0 means "no limit". */
const CAPS = [
  'max_execution_time',
  'max_memory_usage',
  'max_rows_to_read',
  'max_result_bytes',
  'max_expanded_ast_elements',
  'max_ast_elements',
  'max_ast_depth',
] as const satisfies readonly (keyof typeof READER_LIMIT_SETTINGS)[]

/** What else must be as in the shipped profile, and what goes wrong otherwise. */
const FIXED = {
  timeout_overflow_mode: 'a query that ran out of time would pass for a whole result',
  result_overflow_mode: 'a cut result would pass for a whole one',
  implicit_select: 'a bare expression would count as a query',
} as const satisfies Partial<Record<keyof typeof READER_LIMIT_SETTINGS, string>>

/** What is wrong with a read-only user's profile, which Clew cannot override. */
export interface ProfileFaults {
  /** Settings without which numbers arrive wrong, as `name = value`. */
  readonly inexact: readonly string[]
  /** Sentence parts: limits that are missing, settings that differ. */
  readonly loose: readonly string[]
}

/** @param values by name, as system.settings has them @param timeoutMs what Clew allows a query */
export function judgeReaderSettings(values: ReadonlyMap<string, string>, timeoutMs: number): ProfileFaults {
  const inexact = Object.entries(EXACT_OUTPUT_SETTINGS)
    .filter(([name, wanted]) => values.get(name) !== wanted)
    .map(([name, wanted]) => `${name} = ${wanted}`)
  const seconds = Number(values.get('max_execution_time'))
  const loose = [
    // A server that does not know a setting cannot be told to set it.
    ...CAPS.filter(name => values.get(name) === '0').map(name => `${name} is not limited`),
    ...Object.entries(FIXED)
      .filter(([name]) => values.has(name) && values.get(name) !== settingOf(name))
      .map(([name, consequence]) => `${name} is ${values.get(name)}: ${consequence}`),
    ...(seconds > 0 && seconds * 1000 < timeoutMs
      ? [`max_execution_time is ${seconds}, less than CLEW_QUERY_TIMEOUT_S (${timeoutMs / 1000})`]
      : []),
  ]
  return { inexact, loose }
}

function settingOf(name: string): string | undefined {
  return new Map<string, string>(Object.entries(READER_LIMIT_SETTINGS)).get(name)
}
