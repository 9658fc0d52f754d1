import { shown } from './rejection.ts'

/** The versions whose `EXPLAIN QUERY TREE`, function categories and name resolution the guard was written and tested against. */
export const KNOWN_ENGINE_VERSIONS: readonly string[] = ['26.7']

/**
 * Whether the guard knows this engine. With another one it is as strict (what it does not know it refuses), but it may refuse what is
 * legitimate, and a newer engine may give known syntax a new meaning: then the server's grants are the wall.
 */
export function isKnownEngineVersion(version: string): boolean {
  return KNOWN_ENGINE_VERSIONS.some(known => version === known || version.startsWith(`${known}.`))
}

/** What another engine means for the one who runs Clew, and what to do. */
export const UNKNOWN_ENGINE = {
  meaning:
    'It refuses what it does not know, so it may refuse a legitimate query; what a newer server means by known syntax it cannot see.',
  advice: `Use ClickHouse ${KNOWN_ENGINE_VERSIONS.join(' or ')}, or see that the rights of Clew's user are no wider than what may be asked about (clew doctor).`,
} as const

/** @param version as the server tells it */
export function refusedEngineSentence(version: string): string {
  const known = KNOWN_ENGINE_VERSIONS.join(', ')
  return `The SQL guard was written for ClickHouse ${known}; this server is ${shown(version)}, which CLEW_REQUIRE_KNOWN_ENGINE refuses.`
}

/** @param version as the server tells it */
export function unknownEngineSentence(version: string): string {
  const known = KNOWN_ENGINE_VERSIONS.join(', ')
  return `The SQL guard was written for ClickHouse ${known}; this server is ${shown(version)}. ${UNKNOWN_ENGINE.meaning} ${UNKNOWN_ENGINE.advice}`
}
