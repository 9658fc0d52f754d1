import { MODEL_STEPS } from '../../llm/step.ts'
import { nearNames } from '../../warehouse/near-names.ts'

const FURTHER: readonly string[] = [
  ...MODEL_STEPS.map(step => `CLEW_MODEL_${step.toUpperCase()}`),
  // Clew itself does not read these variables. docker-compose.yml and the scripts in `deploy` read them from the same `.env`
  // file.
  ...['CLEW_PORT', 'CLEW_VERSION', 'CLEW_READER_PASSWORD', 'CLEW_WRITER_PASSWORD', 'CLEW_READER_SQL'],
]

/**
 * Returns a sentence for each variable whose name looks like a misspelt variable of Clew.
 * @param variables all names that Clew reads
 */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  variables: readonly string[],
): readonly string[] {
  const known = new Set([...variables, ...FURTHER])
  const unset = [...known].filter(name => (env[name] ?? '').trim() === '')
  return Object.keys(env).flatMap(name => {
    if (known.has(name) || (env[name] ?? '').trim() === '') return []
    // The first word must be similar too. Otherwise a variable such as MODEL, which may belong to any program, would be reported.
    const family = unset.filter(each => nearNames(firstWord(name), [firstWord(each)]).length > 0)
    // Whoever expects Clew's prefix writes CLEW_MODEL for OPENAI_MODEL, and CLEW_REDIS_URL for REDIS_URL.
    const own = unset.filter(each => name === `CLEW_${each}` || name === `CLEW_${afterFirstWord(each)}`)
    const meant = own.length > 0 ? own : nearNames(name, family, 2)
    if (meant.length > 0) return [`Clew does not read ${name}: did you mean ${meant.join(' or ')}?`]
    // Other unknown names, such as OPENAI_…, may belong to other programs, so they are not reported.
    return name.startsWith('CLEW_') ? [`Clew does not read ${name}. docs/configuration.md lists every variable.`] : []
  })
}

function afterFirstWord(name: string): string {
  return name.slice(firstWord(name).length + 1)
}

function firstWord(name: string): string {
  return name.split('_')[0] ?? ''
}
