import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { confirm, intro, isCancel, log, note, outro, password, select, spinner, text } from '@clack/prompts'
import { ClewError, ConfigurationError, errorCode, errorMessage } from '../../base/errors.ts'
import { fileReason } from '../../base/file-reason.ts'
import { terminalStyle } from '../../bots/terminal/style.ts'
import { readConfig } from '../config.ts'
import { LOCAL_FOLDER } from '../parts.ts'
import { type CommandContext, EXIT } from './command-context.ts'
import { checkParts, resultLines } from './doctor.ts'

const FILE = '.env'
const SOURCES_FILE = 'sources.yaml'
/** The name of the Postgres source in the file of sources. */
const POSTGRES = 'postgres'
/** An answer that goes into the file of sources. It is no variable. */
const SCHEMAS = 'schemas'
/** An answer that is no variable either: the files are loaded later. */
const LOADS_LATER = 'loads later'

type Settings = Readonly<Record<string, string>>
type Environment = Readonly<Record<string, string | undefined>>

/** One part of the installation that `clew init` asks about. */
interface Section {
  /** The part of `clew doctor` whose checks try the settings. Undefined if there is nothing to try yet. */
  part(settings: Settings): string | undefined
  /** Asks for the settings. Without any, the part is left out. */
  ask(): Promise<Settings>
}

/** A trial of settings, and whether the person may keep them. */
interface Trial {
  readonly report: string
  readonly failed: boolean
}

/**
 * `clew init`: asks for the settings, tries each part with the checks of `clew doctor`, and writes them into `.env`.
 * @throws ConfigurationError without a terminal, or if the file cannot be read or written
 */
export async function initCommand(context: CommandContext): Promise<number> {
  if (!process.stdin.isTTY || !context.output.isTTY) {
    throw new ConfigurationError(
      'clew init asks questions, so it needs a terminal. Elsewhere, write the variables of docs/configuration.md into a file, and name it: clew --env FILE doctor.',
    )
  }
  const { signal } = context
  intro(`Settings for Clew, into ${FILE} of this folder. Empty answers leave a part out.`)
  const before = await fileText()
  if (before !== undefined) {
    const message = `There is a ${FILE} already. Put the answers into it, and keep its other lines?`
    if (!(await asked(confirm({ message, signal })))) return nothingWritten()
  }
  let settings: Settings = {}
  for (const section of sections(context))
    settings = { ...settings, ...(await settled(context, section, { ...process.env, ...settings })) }
  if (Object.keys(settings).length === 0) return nothingWritten()
  const schemas = settings[SCHEMAS]
  if (schemas !== undefined) await write(SOURCES_FILE, sourcesText(schemas))
  const { [SCHEMAS]: _, [LOADS_LATER]: __, ...variables } = settings
  await write(FILE, withSettings(before ?? '# Written by clew init. docs/configuration.md lists every variable.\n', variables))
  outro(`${FILE} is written; only this user may read it. Next:\n\n${nextCommands(context, settings).join('\n')}`)
  return EXIT.answered
}

function nothingWritten(): number {
  outro('Nothing was written.')
  return EXIT.answered
}

function sections({ signal, config }: CommandContext): readonly Section[] {
  // Whoever answers again begins with what was said before.
  const said = new Map<string, string>()
  const line = async (message: string, options: { key?: string; placeholder?: string; initialValue?: string } = {}) => {
    const { key = message, ...shown } = options
    const initialValue = said.get(key) ?? options.initialValue ?? ''
    const answer = (await asked(text({ message, validate: refusal, signal, ...shown, initialValue })))?.trim() ?? ''
    said.set(key, answer)
    return answer
  }
  const secret = async (message: string) => (await asked(password({ message, validate: refusal, signal })))?.trim() ?? ''
  const address = async (variable: string, message: string, placeholder: string): Promise<Settings> => {
    const url = await line(message, { placeholder })
    if (url === '' || !/^(https?|rediss?|postgres(?:ql)?):\/\/[^@]*$/.test(url)) return given({ [variable]: url })
    const user = await line('User, if it has one', { key: `user of ${variable}` })
    const word = await asked(password({ message: 'Password, if it has one', signal }))
    const credentials = [user, word ?? ''].map(urlPart).join(':')
    return { [variable]: credentials === ':' ? url : url.replace('://', `://${credentials}@`) }
  }
  const data = {
    async clickhouse() {
      const example = 'http://host:8123, or chdb:./clew-data'
      const warehouse = await address('CLICKHOUSE_URL', 'Where is ClickHouse? User and password come next.', example)
      if (warehouse.CLICKHOUSE_URL === undefined) return {}
      const message = 'Which databases may be asked about? Several with commas.'
      return { ...warehouse, ...given({ CLICKHOUSE_DATABASE: await line(message, { initialValue: 'default' }) }) }
    },
    async postgres() {
      if (existsSync(SOURCES_FILE)) {
        note(`There is a ${SOURCES_FILE} already. Add Postgres to it as docs/sources.md tells.`)
        return {}
      }
      const example = 'postgres://host:5432/database'
      const postgres = await address('POSTGRES_URL', 'Where is Postgres? User and password come next.', example)
      if (postgres.POSTGRES_URL === undefined) return {}
      const message = 'Which schemas may be asked about? Several with commas.'
      const schemas = (await line(message, { initialValue: 'public' })) || 'public'
      return { ...postgres, CLEW_SOURCES_FILE: resolve(SOURCES_FILE), [SCHEMAS]: schemas }
    },
    async files() {
      const folder = await line('Which folder shall have the tables of the files?', { initialValue: `./${LOCAL_FOLDER}` })
      if (folder === '') return {}
      // The bots and workers may run in another folder. `clew load` makes this one.
      return { CLICKHOUSE_URL: `chdb:${resolve(folder)}`, ...(existsSync(folder) ? {} : { [LOADS_LATER]: 'yes' }) }
    },
    none: async () => ({}),
  } as const
  return [
    {
      part: settings => (LOADS_LATER in settings ? undefined : 'POSTGRES_URL' in settings ? `source ${POSTGRES}` : 'warehouse'),
      async ask() {
        const options = [
          { value: 'files', label: 'In files: CSV, TSV, JSON lines or Parquet' },
          { value: 'postgres', label: 'In Postgres' },
          { value: 'clickhouse', label: 'In ClickHouse' },
          { value: 'none', label: 'Leave this part out' },
        ] as const
        return data[await asked(select({ message: 'Where is your data?', options: [...options], signal }))]()
      },
    },
    {
      part: () => 'model',
      async ask() {
        const model = given({
          OPENAI_BASE_URL: await line('Where is the model? Empty for OpenAI itself.', {
            placeholder: 'http://localhost:11434/v1',
          }),
          OPENAI_API_KEY: await secret('Key of the model, if it needs one'),
        })
        if (Object.keys(model).length === 0) return {}
        return { ...model, ...given({ OPENAI_MODEL: await line('Name of the model', { initialValue: 'gpt-5-mini' }) }) }
      },
    },
    {
      part: () => 'redis',
      ask: () => address('REDIS_URL', 'Where is Redis? Chat and HTTP need one.', 'redis://host:6379'),
    },
    ...config.chat.platforms.map(({ name, title, needs, variables, apiVariable, secrets }) => ({
      part: () => name,
      async ask() {
        if (!(await asked(confirm({ message: `Shall Clew answer in ${title}?`, initialValue: false, signal })))) return {}
        note(`${title} needs ${needs}.\ndocs/${name}.md tells how to get them.`)
        const settings: Record<string, string> = {}
        for (const variable of Object.keys(variables).filter(each => each !== apiVariable))
          settings[variable] = await (secrets.includes(variable) ? secret : line)(variable)
        return given(settings)
      },
    })),
  ]
}

/** Asks for the settings of a part until they pass the checks, or the person keeps them or leaves them out. */
async function settled(context: CommandContext, section: Section, env: Environment): Promise<Settings> {
  for (;;) {
    const settings = await section.ask()
    if (Object.keys(settings).length === 0) return {}
    const part = section.part(settings)
    if (part === undefined) return settings
    const { report, failed } = await withSourcesFile(settings, variables => tried(context, part, { ...env, ...variables }))
    log.message(report)
    if (!failed) return settings
    const options = [
      { value: 'again', label: 'Answer again' },
      { value: 'keep', label: 'Keep these answers' },
      { value: 'leave', label: 'Leave this part out' },
    ] as const
    const choice = await asked(select({ message: 'That did not work. What now?', options: [...options], signal: context.signal }))
    if (choice === 'keep') return settings
    if (choice === 'leave') return {}
  }
}

/** Runs a trial. If the settings need a file of sources, it is a temporary one, because nothing is written before the end. */
async function withSourcesFile(settings: Settings, run: (settings: Settings) => Promise<Trial>): Promise<Trial> {
  const schemas = settings[SCHEMAS]
  if (schemas === undefined) return run(settings)
  const folder = await mkdtemp(join(tmpdir(), 'clew-init-'))
  try {
    const path = join(folder, SOURCES_FILE)
    await writeFile(path, sourcesText(schemas))
    return await run({ ...settings, CLEW_SOURCES_FILE: path })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function sourcesText(schemas: string): string {
  const names = schemas.split(',').map(name => JSON.stringify(name.trim()))
  return `# Written by clew init. docs/sources.md explains every line.
sources:
  ${POSTGRES}:
    url: $POSTGRES_URL
    schemas: [${names.join(', ')}]
    description: All data
`
}

async function tried(context: CommandContext, part: string, env: Environment): Promise<Trial> {
  const { output, signal } = context
  const progress = spinner({ signal })
  progress.start(`Checking the ${part} …`)
  try {
    const results = await checkParts({ ...context, config: readConfig(env) }, env, part)
    const failed = results.some(({ state }) => state === 'failed')
    return { report: resultLines(results, terminalStyle(output.hasColors())), failed }
  } catch (error) {
    // These settings do not fit together. The sentence names the variable and no value of a secret.
    if (!(error instanceof ConfigurationError)) throw error
    return { report: errorMessage(error), failed: true }
  } finally {
    progress.stop(`The checks of the ${part} say:`)
  }
}

/** @throws ClewError if the person has left the prompt */
async function asked<T>(answer: Promise<T>): Promise<Exclude<T, symbol>> {
  const said = await answer
  if (isCancel(said)) throw new ClewError('Stopped. Nothing was written.', { code: 'stopped' })
  return said as Exclude<T, symbol>
}

/** Shells, Docker Compose and systemd read `.env` by different rules. These characters mean the same to all of them. */
function refusal(value = ''): string | undefined {
  if (/^[\w:/@.+,=?&%[\]~-]*$/.test(value.trim())) return undefined
  return 'Only letters, digits and : / @ . + , = ? & % [ ] ~ - may stand in it. Of an address, write others as % and two digits.'
}

function urlPart(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}

function given(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''))
}

async function fileText(): Promise<string | undefined> {
  try {
    return await readFile(FILE, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new ConfigurationError(`${FILE} cannot be read: ${fileReason(error)}.`, { cause: error })
  }
}

/** Puts settings into the text of a file: in place of lines that set them, otherwise at the end. */
export function withSettings(before: string, settings: Settings): string {
  return Object.entries(settings).reduce((whole, [name, value]) => {
    const line = `${name}=${quoted(value)}`
    const lines = whole.split('\n')
    const isSet = (each: string) => each.replace(/^export /, '').startsWith(`${name}=`)
    if (lines.some(isSet)) return lines.map(each => (isSet(each) ? line : each)).join('\n')
    return `${whole}${whole === '' || whole.endsWith('\n') ? '' : '\n'}${line}\n`
  }, before)
}

/** Quotes a value that would be cut without quotes, such as a password with `#`. */
function quoted(value: string): string {
  const quote = /^[\w:/@.,+=?&%-]*$/.test(value) ? '' : (["'", '"', '`'].find(each => !value.includes(each)) ?? '')
  return `${quote}${value}${quote}`
}

/** The new file takes the place of the old one at once, so that no other user can read it in between. */
async function write(file: string, content: string): Promise<void> {
  try {
    await writeFile(`${file}.new`, content, { mode: 0o600, flag: 'wx' })
    await rename(`${file}.new`, file)
  } catch (error) {
    throw new ConfigurationError(`${file} cannot be written: ${fileReason(error)}.`, { cause: error })
  }
}

function nextCommands({ config }: CommandContext, settings: Settings): readonly string[] {
  const clew = `clew --env ${FILE}`
  const isFolder = settings.CLICKHOUSE_URL?.startsWith('chdb:') === true
  const load = isFolder ? [`${clew} load FILE…`] : []
  const hasData = 'CLICKHOUSE_URL' in settings || 'POSTGRES_URL' in settings
  if (!hasData || settings.OPENAI_MODEL === undefined) return [...load, `${clew} doctor`]
  const chats = config.chat.platforms.some(({ secrets }) => secrets.some(name => name in settings))
  const first = [...load, `${clew} ask "How many rows has each table?"`]
  return chats && 'REDIS_URL' in settings ? [...first, `${clew} bots`, `PORT=8788 ${clew} worker`] : first
}
