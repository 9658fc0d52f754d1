import { ConfigurationError } from '../base/errors.ts'
import { readNamedFile } from '../base/file-reason.ts'
import { readYaml } from '../base/text/read-yaml.ts'
import { type Mistake, mistakesSentence } from '../base/text/shape-mistakes.ts'
import { thereAre } from '../base/text/there-are.ts'
import { address } from '../base/variables.ts'
import { nearNames } from '../warehouse/near-names.ts'
import { firstPart } from '../warehouse/table-names.ts'
import { sourcesFileSchema, type WrittenSource } from './file-schema.ts'
import type { SourceConfig } from './source.ts'

/** The kinds of sources: their name, the beginnings of their addresses, and the key that lists their databases. */
const KINDS = {
  clickhouse: { name: 'ClickHouse', schemes: ['http://', 'https://', 'chdb:'], key: 'databases', otherKey: 'schemas' },
  postgres: { name: 'Postgres', schemes: ['postgres://', 'postgresql://'], key: 'schemas', otherKey: 'databases' },
} as const satisfies Record<SourceConfig['kind'], object>
const kinds = Object.keys(KINDS) as SourceConfig['kind'][]
const addressSchema = address(kinds.flatMap(kind => KINDS[kind].schemes))

/** Returns the value of an environment variable. */
type Variable = (name: string) => string | undefined

/**
 * Reads the operator's `sources.yaml`. The first source is the default one.
 * @throws ConfigurationError that lists each mistake with its line and a remedy
 */
export function readSourcesFile(path: string, variable: Variable): readonly SourceConfig[] {
  return parseSources(readNamedFile('CLEW_SOURCES_FILE', path), path, variable)
}

/**
 * Parses the text of `sources.yaml`.
 * @param name the file's name, for messages
 */
export function parseSources(text: string, name: string, variable: Variable): readonly SourceConfig[] {
  const fail = (mistakes: readonly string[]) =>
    new ConfigurationError(mistakesSentence(`${name} is wrong`, mistakes, 'docs/sources.md tells what belongs into it.'))
  const read = readYaml(text, sourcesFileSchema, { isTextOnly: true, noAliases: 'a text that begins with * must be quoted' })
  if (!read.ok) throw fail(read.mistakes)
  const entries = Object.entries(read.value.sources)
  const sources = entries.map(([id, written], index) => configOf(id, written, index === 0, variable))
  const mistakes = entries.flatMap(([id, written], index) => [
    ...mistakesOfUrl(id, written, variable),
    ...mistakesOfDatabases(id, written, sources[index]),
    ...mistakesOfJoinKeys(id, written, sources),
  ])
  if (mistakes.length > 0) throw fail(mistakes.map(read.placed))
  return sources
}

function configOf(id: string, written: WrittenSource, isDefault: boolean, variable: Variable): SourceConfig {
  const { description, roles, join_keys: joinKeys, private_columns: privateColumns } = written
  const urlVariable = written.url.slice(1)
  const url = variable(urlVariable)?.trim() ?? ''
  const kind = kinds.find(each => KINDS[each].schemes.some(scheme => url.startsWith(scheme))) ?? 'clickhouse'
  const databases = written[KINDS[kind].key] ?? []
  return { id, isDefault, kind, url, urlVariable, databases, description, ...(roles && { roles }), joinKeys, privateColumns }
}

function mistakesOfUrl(id: string, { url }: WrittenSource, variable: Variable): readonly Mistake[] {
  const path = ['sources', id, 'url']
  const { data, error } = addressSchema.safeParse(variable(url.slice(1)))
  if (error !== undefined) return [{ path, sentence: `is ${url}, which ${error.issues[0]?.message}` }]
  return data === undefined ? [{ path, sentence: `is ${url}, which is not set` }] : []
}

/** @param config the source whose kind is known from its address; without an address, the key is not checked */
function mistakesOfDatabases(id: string, written: WrittenSource, config: SourceConfig | undefined): readonly Mistake[] {
  if (config === undefined || config.url === '') return []
  const { name, key, otherKey } = KINDS[config.kind]
  const missing =
    written[key] === undefined ? [{ path: ['sources', id], sentence: `has no ${key}, such as \`${key}: [shop]\`` }] : []
  if (written[otherKey] === undefined) return missing
  return [{ path: ['sources', id, otherKey], sentence: `must be ${key}, because the address is one of ${name}` }]
}

function mistakesOfJoinKeys(id: string, written: WrittenSource, sources: readonly SourceConfig[]): readonly Mistake[] {
  const ids = sources.map(each => each.id)
  return written.join_keys.flatMap(({ left, right }, index) =>
    [left, right].flatMap(({ source, table }) => {
      const mistake = (sentence: string) => [{ path: ['sources', id, 'join_keys', index], sentence }]
      const named = sources.find(each => each.id === source)
      if (named === undefined) return mistake(`names the source ${source}, which is not in the file; ${meant(source, ids)}`)
      const database = firstPart(table)
      if (named.databases.length === 0 || named.databases.includes(database)) return []
      return mistake(`names ${source}/${database}, which ${source} does not list; ${meant(database, named.databases)}`)
    }),
  )
}

function meant(name: string, names: readonly string[]): string {
  const near = nearNames(name, names)
  return near.length > 0 ? `did you mean ${near.join(' or ')}?` : thereAre(names)
}
