import { shown } from '../../warehouse/guard/rejection.ts'

/**
 * The engine versions on which the guard is tested: the output of `EXPLAIN QUERY TREE`, the functions, and how names are
 * resolved.
 */
export const KNOWN_ENGINE_VERSIONS: readonly string[] = ['26.7']

/**
 * Whether the guard is tested on this engine version. On another version it is just as strict: it refuses everything unknown,
 * perhaps also legitimate queries. But if a newer engine gives known syntax a new meaning, only the server's grants protect the
 * data.
 */
export function isKnownEngineVersion(version: string): boolean {
  return KNOWN_ENGINE_VERSIONS.some(known => version === known || version.startsWith(`${known}.`))
}

/** Tells the operator what an untested engine version means, and what to do. */
export const UNKNOWN_ENGINE = {
  meaning:
    'It refuses what it does not know, so it may refuse a legitimate query; what a newer server means by known syntax it cannot see.',
  advice: `Use ClickHouse ${KNOWN_ENGINE_VERSIONS.join(' or ')}, or see that the rights of Clew's user are no wider than what may be asked about (clew doctor).`,
} as const

/** @param version the version as the server reports it */
export function refusedEngineSentence(version: string): string {
  const known = KNOWN_ENGINE_VERSIONS.join(', ')
  return `The SQL guard was written for ClickHouse ${known}; this server is ${shown(version)}, which CLEW_REQUIRE_KNOWN_ENGINE refuses.`
}

/** @param version the version as the server reports it */
export function unknownEngineSentence(version: string): string {
  const known = KNOWN_ENGINE_VERSIONS.join(', ')
  return `The SQL guard was written for ClickHouse ${known}; this server is ${shown(version)}. ${UNKNOWN_ENGINE.meaning} ${UNKNOWN_ENGINE.advice}`
}
