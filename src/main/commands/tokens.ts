import { dayText } from '../../base/calendar-unit.ts'
import { DAY_MS } from '../../base/durations.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { thereAre } from '../../base/text/there-are.ts'
import { HTTP_LIMITS } from '../../http/limits.ts'
import { isTokenId, type Token, Tokens } from '../../http/tokens.ts'
import { loadPolicy } from '../access.ts'
import { consoleUrl, wireSessions } from '../console.ts'
import { observing, wireRedis } from '../store.ts'
import { TERMINAL_PERSON } from '../terminal-person.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'
import { printList } from './print-list.ts'

interface CreateTokenOptions {
  readonly role?: string
  /** As `slack/U1`, with the workspace whose rules decide over the person. */
  readonly person?: string
  readonly workspace?: string
  /** How long the token holds, in milliseconds. */
  readonly expires: number
  readonly rate: number
  readonly name?: string
}

/**
 * `clew tokens create`: makes a token for HTTP clients. Prints the token on standard output, this once, and everything else on
 * standard error.
 */
export async function createTokenCommand(context: CommandContext, options: CreateTokenOptions): Promise<number> {
  const { role = null, name = null, person, workspace, expires: lifeMs, rate } = options
  if ((person === undefined) !== (workspace === undefined) || (person !== undefined && role !== null))
    throw new ConfigurationError('A token of a person needs --person and --workspace, and has no --role.')
  if (person === undefined) await checkRole(context, role)
  const of = person !== undefined && workspace !== undefined ? { person, workspace } : {}
  const { token, bearer } = await (await openTokens(context)).create({ role, name, lifeMs, rate, ...of }, context.signal)
  context.output.write(`${bearer}\n`)
  tell(context, `Token ${token.id} holds until ${dayText(token.expires_at)}. It is shown only now.`)
  return EXIT.answered
}

/**
 * `clew tokens link`: prints a link that signs the person at the terminal in to the console, once.
 * @param options.days how long the session lasts that the link begins. Default: 12 hours
 */
export async function linkCommand(
  context: CommandContext,
  options: { readonly role?: string; readonly days?: number },
): Promise<number> {
  const { role = null, days } = options
  await checkRole(context, role)
  const lifeMs = days === undefined ? HTTP_LIMITS.sessionMs : days * DAY_MS
  const redis = await wireRedis(context, 'worker', context.signal)
  const sessions = wireSessions(context, redis)
  const link = await sessions.createLink(consoleUrl(context.config), { person: TERMINAL_PERSON, role, lifeMs }, context.signal)
  context.output.write(`${link}\n`)
  tell(context, 'The link signs in once, within ten minutes.')
  return EXIT.answered
}

/** `clew tokens list` */
export async function listTokensCommand(context: CommandContext, options: { readonly json: boolean }): Promise<number> {
  const tokens = await (await openTokens(context)).list(context.signal)
  const header = ['id', 'name', 'role', 'turns a minute', 'made', 'expires']
  const list = { value: tokens.map(withIsoTimes), header, rows: tokens.map(rowOf), numeric: [3], empty: 'There are no tokens.' }
  return printList(context, options, list)
}

/**
 * `clew tokens revoke ID`
 * @throws ConfigurationError for anything that is no id; the error does not repeat it, because it may be a token's secret
 */
export async function revokeTokenCommand(context: CommandContext, id: string): Promise<number> {
  if (!isTokenId(id))
    throw new ConfigurationError('That is no id of a token. An id looks like tok_0123456789abcdef: clew tokens list shows all.')
  const isRevoked = await (await openTokens(context)).revoke(id, context.signal)
  tell(context, isRevoked ? `Token ${id} is revoked.` : `There is no token ${id}: clew tokens list shows all.`)
  return isRevoked ? EXIT.answered : EXIT.failed
}

/** @throws ConfigurationError if a role is needed and missing, or if there is none of this name */
async function checkRole({ config }: CommandContext, role: string | null): Promise<void> {
  const policy = await loadPolicy(config)
  if (policy === undefined && role === null) return
  if (policy === undefined)
    throw new ConfigurationError('There are no roles, because CLEW_ACCESS_FILE is not set: leave out --role.')
  const names = [...policy.roles.keys()]
  if (role === null) throw new ConfigurationError(`There are rules of access, so a token needs --role: ${names.join(', ')}.`)
  if (!policy.roles.has(role)) throw new ConfigurationError(`There is no role ${role}: ${thereAre(names)}.`)
}

async function openTokens(context: CommandContext): Promise<Tokens> {
  const redis = await wireRedis(context, 'worker', context.signal)
  return new Tokens({ redis, now: Date.now, ...observing(context) })
}

function rowOf({ id, name, role, rate, created_at: made, expires_at: expires }: Token): string[] {
  return [id, name ?? '', role ?? '', String(rate), dayText(made), expires < Date.now() ? 'expired' : dayText(expires)]
}

function withIsoTimes({ created_at: made, expires_at: expires, ...token }: Token) {
  return { ...token, created_at: new Date(made).toISOString(), expires_at: new Date(expires).toISOString() }
}
