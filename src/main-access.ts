import { AccessDesk } from './access/access-desk.ts'
import type { AccessPolicy } from './access/access-policy.ts'
import { KnownPeople } from './access/known-people.ts'
import type { PeopleDirectory } from './access/people-directory.ts'
import { readAccessFile } from './access/read-access-file.ts'
import type { WiringContext } from './main-parts.ts'
import { type Admission, createAdmission, OPEN_ADMISSION } from './queue/admission.ts'
import type { StateStore } from './store/state-store.ts'

export interface WiredAccess {
  /** Who may read what, for presses. */
  readonly desk: AccessDesk
  /** Decides about each message before anything of it is shown. */
  readonly admission: Admission
}

/** The operator's rules of access, read once: a change of the file takes effect when the process starts again. @throws ConfigurationError */
export async function wireAccess(
  { config, logger }: Pick<WiringContext, 'config' | 'logger'>,
  parts: { readonly store: StateStore; readonly people: Readonly<Record<string, PeopleDirectory>> },
): Promise<WiredAccess> {
  const policy = await loadPolicy(config)
  const { store } = parts
  const people = new KnownPeople({ directories: parts.people, store, ttlMs: config.access.ttlMs, now: Date.now, logger })
  const desk = new AccessDesk({ policy, people })
  return { desk, admission: policy === undefined ? OPEN_ADMISSION : createAdmission({ desk, store }) }
}

/** Undefined where no file is set. @throws ConfigurationError */
export async function loadPolicy({ access }: Pick<WiringContext['config'], 'access'>): Promise<AccessPolicy | undefined> {
  return access.file === undefined ? undefined : readAccessFile(access.file)
}
