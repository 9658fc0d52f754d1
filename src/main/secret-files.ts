import { readNamedFile } from '../base/file-reason.ts'

/**
 * The variables with secrets, except those of chat platforms. Instead of a variable NAME, `NAME_FILE` may give the path of a file
 * that contains the value.
 */
export const SECRET_VARIABLES = ['OPENAI_API_KEY', 'CLICKHOUSE_URL', 'CLEW_WRITER_URL', 'REDIS_URL', 'CLEW_STATE_KEY'] as const

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Adds the contents of secret files to the environment. If a variable and its file are both set, the variable is used. An empty
 * file is treated as if it were not set.
 * @throws ConfigurationError
 */
export function withSecretFiles(env: Environment, names: readonly string[]): Environment {
  const read = names.flatMap(name => {
    const file = (env[`${name}_FILE`] ?? '').trim()
    return file === '' || (env[name] ?? '').trim() !== '' ? [] : [[name, readNamedFile(`${name}_FILE`, file).trim()] as const]
  })
  return { ...env, ...Object.fromEntries(read) }
}
