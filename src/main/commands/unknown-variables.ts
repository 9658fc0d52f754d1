import { MODEL_STEPS } from '../../llm/step.ts'
import { nearNames } from '../../warehouse/near-names.ts'

const FURTHER: readonly string[] = [
  ...MODEL_STEPS.map(step => `CLEW_MODEL_${step.toUpperCase()}`),
  // docker-compose.yml, deploy/make-secrets.sh and deploy/clickhouse/create-reader.sh read these from the same file.
  ...['CLEW_PORT', 'CLEW_VERSION', 'CLEW_READER_PASSWORD', 'CLEW_WRITER_PASSWORD', 'CLEW_READER_SQL'],
]

/**
 * Returns a sentence for each unused variable that seems meant for Clew, with the near name.
 * @param variables of the configuration
 */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  variables: readonly string[],
): readonly string[] {
  const known = new Set([...variables, ...FURTHER])
  const unset = [...known].filter(name => (env[name] ?? '').trim() === '')
  return Object.keys(env).flatMap(name => {
    if (known.has(name) || (env[name] ?? '').trim() === '') return []
    // MODEL or URL alone may belong to any program.
    const family = unset.filter(each => nearNames(firstWord(name), [firstWord(each)]).length > 0)
    const meant = nearNames(name, family, 2)
    if (meant.length > 0) return [`Clew does not read ${name}: did you mean ${meant.join(' or ')}?`]
    // Other programs also use OPENAI_ or REDIS_.
    return name.startsWith('CLEW_') ? [`Clew does not read ${name}. docs/configuration.md lists every variable.`] : []
  })
}

function firstWord(name: string): string {
  return name.split('_')[0] ?? ''
}
