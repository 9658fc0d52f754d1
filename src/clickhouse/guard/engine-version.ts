/** The versions whose `EXPLAIN QUERY TREE`, function categories and name resolution the guard was written and tested against. */
export const KNOWN_ENGINE_VERSIONS: readonly string[] = ['26.7']

/**
 * Whether the guard knows this engine. With another one it is as strict (what it does not know it refuses), but it may refuse what is
 * legitimate, and a newer engine may give known syntax a new meaning: then the server's grants are the wall.
 */
export function isKnownEngineVersion(version: string): boolean {
  return KNOWN_ENGINE_VERSIONS.some(known => version === known || version.startsWith(`${known}.`))
}
