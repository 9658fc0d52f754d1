import { EXACT_OUTPUT_SETTINGS, READER_LIMIT_SETTINGS } from './limits.ts'

/**
 * With this setting, the server stops a read when Clew closes the connection. So when a person stops a question, its query stops
 * too. The server's default is 0, with which the query runs on.
 */
export const CLIENT_CLOSE_SETTING = 'cancel_http_readonly_queries_on_client_close'

export const JUDGED_SETTINGS: readonly string[] = [
  'readonly',
  CLIENT_CLOSE_SETTING,
  ...Object.keys(EXACT_OUTPUT_SETTINGS),
  ...Object.keys(READER_LIMIT_SETTINGS),
]

/** Settings that limit a query. Their value 0 means "no limit". */
const CAPS = [
  'max_execution_time',
  'max_memory_usage',
  'max_rows_to_read',
  'max_result_bytes',
  'max_expanded_ast_elements',
  'max_ast_elements',
  'max_ast_depth',
] as const satisfies readonly (keyof typeof READER_LIMIT_SETTINGS)[]

/** Settings that must have the same values as in the profile that Clew ships. The texts say what goes wrong otherwise. */
const FIXED = {
  timeout_overflow_mode: 'a query that ran out of time would pass for a whole result',
  result_overflow_mode: 'a cut result would pass for a whole one',
  implicit_select: 'a bare expression would count as a query',
} as const satisfies Partial<Record<keyof typeof READER_LIMIT_SETTINGS, string>>

/** Faults in the settings profile of a user who is not allowed to change settings. Clew cannot override such a profile. */
export interface ProfileFaults {
  /** Settings that would make numbers in results wrong, each as `name = value`. */
  readonly inexact: readonly string[]
  /** Phrases about missing limits, and about settings that differ from the profile that Clew ships. */
  readonly loose: readonly string[]
}

/**
 * Judges the settings in the profile of a read-only user.
 * @param values the settings by name, as in system.settings
 * @param timeoutMs the time limit of a query
 */
export function judgeReaderSettings(values: ReadonlyMap<string, string>, timeoutMs: number): ProfileFaults {
  const inexact = Object.entries(EXACT_OUTPUT_SETTINGS)
    .filter(([name, wanted]) => values.get(name) !== wanted)
    .map(([name, wanted]) => `${name} = ${wanted}`)
  const seconds = Number(values.get('max_execution_time'))
  const loose = [
    // A setting that an older server does not know has no value here, so it is not required.
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
