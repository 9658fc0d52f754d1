import { memoizePerObject } from '../../base/memoize.ts'
import { fenceData } from '../../llm/data-fence.ts'
import type { JoinKey, SourceColumn } from '../../sources/source.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { SourceInPlan } from '../run/context.ts'
import { sourceSchemaPrompt } from '../schema/schema-prompts.ts'

const AWAY =
  'It cannot be reached now. Ask it all the same for what the message needs of it: a program tells the person what is missing.'

/** Writes the sources for a plan over them: each with its schema, and the columns that the operator has named as joins. */
export function sourcesPrompt(sources: readonly SourceInPlan[]): string {
  const sections = sources.map(({ config: { id, description }, schema, isAway }) => {
    const about = fenceData('description', onOneLine(description, AGENT_LIMITS.planning.descriptionCharacters))
    const tables = schema.tables.length === 0 ? [] : [sourceSchemaPrompt(schema)]
    return [`## Source \`${id}\``, about, ...(isAway ? [AWAY] : []), ...tables].join('\n\n')
  })
  const joins = joinKeysIn(sources).map(({ left, right }) => `- ${shown(left)} = ${shown(right)}`)
  if (joins.length === 0) return sections.join('\n\n')
  return `${sections.join('\n\n')}\n\n## Columns of different sources that mean the same\n\n${fenceData('joins', joins.join('\n'))}`
}

/** Returns the operator's joins whose columns the asker may see. Each join stands in the configuration of all sources. */
function joinKeysIn(sources: readonly SourceInPlan[]): readonly JoinKey[] {
  const isVisible = ({ source, table, column }: SourceColumn) => {
    const found = sources.find(({ config }) => config.id === source)
    return found !== undefined && columnsOf(found.schema).has(`${table}.${column}`)
  }
  const keys = new Map(sources.flatMap(({ config }) => config.joinKeys.map(key => [JSON.stringify(key), key])))
  return [...keys.values()].filter(({ left, right }) => isVisible(left) && isVisible(right))
}

const columnsOf = memoizePerObject(
  ({ tables }: SourceInPlan['schema']): ReadonlySet<string> =>
    new Set(
      tables.flatMap(({ database, name, columns }) =>
        columns.filter(({ isPrivate }) => isPrivate !== true).map(column => `${database}.${name}.${column.name}`),
      ),
    ),
)

function shown({ source, table, column }: SourceColumn): string {
  return `${source}/${table}.${column}`
}
