import { ConfigurationError } from '../base/errors.ts'
import { readNamedFile } from '../base/file-reason.ts'
import { readYaml } from '../base/text/read-yaml.ts'
import { type Mistake, mistakesSentence } from '../base/text/shape-mistakes.ts'
import { thereAre } from '../base/text/there-are.ts'
import { address } from '../base/variables.ts'
import { DIALECTS, type Dialect } from '../llm/dialect.ts'
import { nearNames } from '../warehouse/near-names.ts'
import { firstPart } from '../warehouse/table-names.ts'
import { sourcesFileSchema, type WrittenSource } from './file-schema.ts'
import { SOURCE_KINDS } from './kinds.ts'
import type { SourceConfig } from './source.ts'

const addressSchema = address(DIALECTS.flatMap(kind => SOURCE_KINDS[kind].schemes))

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
    ...mistakesOfDatabases(id, written, sources[index]?.kind),
    ...mistakesOfJoinKeys(id, written, new Map(entries)),
  ])
  if (mistakes.length > 0) throw fail(mistakes.map(read.placed))
  return sources.filter(source => source !== undefined)
}

/** Returns the source. Undefined if its address is of no known kind. */
function configOf(id: string, written: WrittenSource, isDefault: boolean, variable: Variable): SourceConfig | undefined {
  const { description, roles, join_keys: joinKeys, private_columns: privateColumns } = written
  const urlVariable = written.url.slice(1)
  const url = variable(urlVariable)?.trim() ?? ''
  const kind = DIALECTS.find(each => SOURCE_KINDS[each].schemes.some(scheme => url.startsWith(scheme)))
  if (kind === undefined) return undefined
  const databases = written[SOURCE_KINDS[kind].databasesKey] ?? []
  return { id, isDefault, kind, url, urlVariable, databases, description, ...(roles && { roles }), joinKeys, privateColumns }
}

function mistakesOfUrl(id: string, { url }: WrittenSource, variable: Variable): readonly Mistake[] {
  const path = ['sources', id, 'url']
  const { data, error } = addressSchema.safeParse(variable(url.slice(1)))
  if (error !== undefined) return [{ path, sentence: `is ${url}, which ${error.issues[0]?.message}` }]
  return data === undefined ? [{ path, sentence: `is ${url}, which is not set` }] : []
}

/** @param kind undefined: another mistake already says so, and the key is not checked */
function mistakesOfDatabases(id: string, written: WrittenSource, kind: Dialect | undefined): readonly Mistake[] {
  if (kind === undefined) return []
  const { name, databasesKey: key } = SOURCE_KINDS[kind]
  const missing =
    written[key] === undefined ? [{ path: ['sources', id], sentence: `has no ${key}, such as \`${key}: [shop]\`` }] : []
  const otherKey = key === 'databases' ? 'schemas' : 'databases'
  if (written[otherKey] === undefined) return missing
  return [{ path: ['sources', id, otherKey], sentence: `must be ${key}, because the address is one of ${name}` }]
}

function mistakesOfJoinKeys(id: string, written: WrittenSource, sources: ReadonlyMap<string, WrittenSource>) {
  return written.join_keys.flatMap(({ left, right }, index) =>
    [left, right].flatMap(({ source, table }) => {
      const mistake = (sentence: string) => [{ path: ['sources', id, 'join_keys', index], sentence }]
      const named = sources.get(source)
      if (named === undefined) {
        return mistake(`names the source ${source}, which is not in the file; ${meant(source, [...sources.keys()])}`)
      }
      const database = firstPart(table)
      const databases = named.databases ?? named.schemas ?? [database]
      if (databases.includes(database)) return []
      return mistake(`names ${source}/${database}, which ${source} does not list; ${meant(database, databases)}`)
    }),
  )
}

function meant(name: string, names: readonly string[]): string {
  const near = nearNames(name, names)
  return near.length > 0 ? `did you mean ${near.join(' or ')}?` : thereAre(names)
}
