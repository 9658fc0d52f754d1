import { ConfigurationError } from '../../base/errors.ts'

/** @throws ConfigurationError if the text is no name of a person as reports and the audit log write it */
export function checkPerson(person: string): void {
  if (!/^[a-z]+\/[^/\s"\\]+$/.test(person))
    throw new ConfigurationError('--person is platform/id, as `clew audit` shows it: slack/U012ABC.')
}
