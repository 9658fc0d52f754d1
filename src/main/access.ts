import { AccessControl } from '../access/control.ts'
import { KnownPeople } from '../access/known-people.ts'
import type { PeopleDirectory } from '../access/people-directory.ts'
import { type AccessPolicy, policyKey } from '../access/policy.ts'
import { readAccessFile } from '../access/read-access-file.ts'
import { ConfigurationError, errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { type Admission, createAdmission, OPEN_ADMISSION } from '../queue/accept/admission.ts'
import type { StateStore } from '../store/state-store.ts'
import { MAIN_LIMITS } from './limits.ts'
import { observing, type WiringContext } from './store.ts'

export interface WiredAccess {
  /** The operator's rules. Undefined if there are none. */
  readonly policy: AccessPolicy | undefined
  /** Decides who may press which buttons below an answer. */
  readonly accessControl: AccessControl
  /** Decides who may ask a question. This happens before Clew shows any part of the message. */
  readonly admission: Admission
}

/**
 * Reads the operator's access rules once. Later changes to the file apply only after a restart.
 * @throws ConfigurationError
 */
export async function wireAccess(
  context: Pick<WiringContext, 'config' | 'logger' | 'observers'>,
  parts: { readonly store: StateStore; readonly people: Readonly<Record<string, PeopleDirectory>> },
): Promise<WiredAccess> {
  const { config, logger } = context
  const policy = await loadPolicy(config)
  const { store } = parts
  await compareWithOthers(policy, { store, logger }).catch((error: unknown) => {
    logger.warn({ error: errorMessage(error) }, 'the rules of access were not compared with those of other processes')
  })
  const people = new KnownPeople({
    directories: parts.people,
    ttlMs: config.access.ttlMs,
    now: Date.now,
    ...{ store, logger, ...observing(context) },
  })
  const accessControl = new AccessControl({ policy, people })
  return { policy, accessControl, admission: policy === undefined ? OPEN_ADMISSION : createAdmission({ accessControl, store }) }
}

/**
 * Warns if an earlier process had different access rules. For example, if the bots have rules and the workers have none,
 * everybody gets answers about everything. During a rolling restart, the warning only means that some processes still have the
 * old rules.
 */
async function compareWithOthers(
  policy: AccessPolicy | undefined,
  { store, logger }: { readonly store: StateStore; readonly logger: Logger },
): Promise<void> {
  const own = policy === undefined ? 'none' : policyKey(policy)
  const signal = AbortSignal.timeout(MAIN_LIMITS.compareRulesMs)
  const other = await store.get(RULES_KEY, signal)
  if (other !== undefined && other !== own)
    logger.warn(
      { hasRules: policy !== undefined },
      'other rules of access than at the last start of a process: start all of them again with the same CLEW_ACCESS_FILE',
    )
  if (other !== own) await store.set(RULES_KEY, own, MAIN_LIMITS.rulesSeconds, signal)
}

const RULES_KEY = 'access:rules'

/**
 * Reads the access rules. Returns undefined if CLEW_ACCESS_FILE is not set.
 * @throws ConfigurationError
 */
export async function loadPolicy({
  access,
  chat,
  sources,
}: Pick<WiringContext['config'], 'access' | 'chat' | 'sources'>): Promise<AccessPolicy | undefined> {
  if (access.file !== undefined) return readAccessFile(access.file, chat.platforms, sources)
  const limited = sources?.find(({ roles }) => roles !== undefined)
  if (limited === undefined) return undefined
  throw new ConfigurationError(
    `The source ${limited.id} is limited to roles, but there are none: set CLEW_ACCESS_FILE, or take its roles out of CLEW_SOURCES_FILE.`,
  )
}
