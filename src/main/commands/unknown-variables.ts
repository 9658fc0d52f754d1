import { MODEL_STEPS } from '../../llm/step.ts'
import { nearNames } from '../../warehouse/near-names.ts'

const FURTHER: readonly string[] = [
  ...MODEL_STEPS.map(step => `CLEW_MODEL_${step.toUpperCase()}`),
  // docker-compose.yml, deploy/make-secrets.sh and deploy/clickhouse/create-reader.sh read these variables from the same `.env`.
  ...['CLEW_PORT', 'CLEW_VERSION', 'CLEW_READER_PASSWORD', 'CLEW_WRITER_PASSWORD', 'CLEW_READER_SQL'],
]

/**
 * Returns a sentence for each unused variable that seems meant for Clew, with the similar name.
 * @param variables the names that the configuration reads
 */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  variables: readonly string[],
): readonly string[] {
  const known = new Set([...variables, ...FURTHER])
  const unset = [...known].filter(name => (env[name] ?? '').trim() === '')
  return Object.keys(env).flatMap(name => {
    if (known.has(name) || (env[name] ?? '').trim() === '') return []
    // The first word must be similar too, because a variable like MODEL or URL may belong to any program.
    const family = unset.filter(each => nearNames(firstWord(name), [firstWord(each)]).length > 0)
    const meant = nearNames(name, family, 2)
    if (meant.length > 0) return [`Clew does not read ${name}: did you mean ${meant.join(' or ')}?`]
    // Other names, such as OPENAI_… or REDIS_…, may belong to other programs.
    return name.startsWith('CLEW_') ? [`Clew does not read ${name}. docs/configuration.md lists every variable.`] : []
  })
}

function firstWord(name: string): string {
  return name.split('_')[0] ?? ''
}
