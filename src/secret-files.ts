import { readFileSync } from 'node:fs'
import { ConfigurationError } from './errors.ts'
import { fileReason } from './file-reason.ts'

/** The variables that hold secrets: each may stand in a file instead, whose path is given as `NAME_FILE`. */
export const SECRET_VARIABLES = [
  'OPENAI_API_KEY',
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'DISCORD_TOKEN',
  'CLICKHOUSE_URL',
  'CLEW_WRITER_URL',
  'REDIS_URL',
  'CLEW_STATE_KEY',
] as const

type Environment = Readonly<Record<string, string | undefined>>

/** The environment with what stands in files; a variable of its own counts first, an empty file as absent. @throws ConfigurationError */
export function withSecretFiles(env: Environment): Environment {
  const read = SECRET_VARIABLES.flatMap(name => {
    const file = (env[`${name}_FILE`] ?? '').trim()
    return file === '' || (env[name] ?? '').trim() !== '' ? [] : [[name, readSecret(`${name}_FILE`, file)] as const]
  })
  return { ...env, ...Object.fromEntries(read) }
}

function readSecret(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new ConfigurationError(`${variable} is ${file}, which cannot be read: ${fileReason(error)}.`, { cause: error })
  }
}
