import { shown } from './rejection.ts'

/**
 * The engine versions on which the guard was tested. The tests cover the output of `EXPLAIN QUERY TREE`, function categories and name
 * resolution.
 */
export const KNOWN_ENGINE_VERSIONS: readonly string[] = ['26.7']

/**
 * Whether the guard knows this engine version. On another version the guard is just as strict, because it refuses everything unknown. It may then
 * refuse legitimate queries. If a newer engine gives known syntax a new meaning, only the server's grants protect the data.
 */
export function isKnownEngineVersion(version: string): boolean {
  return KNOWN_ENGINE_VERSIONS.some(known => version === known || version.startsWith(`${known}.`))
}

/** A message for the operator about an untested engine version: what it means, and what to do. */
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
