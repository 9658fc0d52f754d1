import { homedir } from 'node:os'
import { basename } from 'node:path'

/** The person at the terminal: the user of the system. The name is unique over all platforms. */
export const TERMINAL_PERSON = `terminal/${encodeURIComponent(basename(homedir()))}`
