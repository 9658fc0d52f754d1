/** On Linux this is the user `nobody`. */
const OTHER_USER = { uid: 65_534, gid: 65_534 }

/** Returns the user of a server that this process starts. Postgres refuses to run as root. */
export function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  return process.getuid?.() === 0 ? OTHER_USER : undefined
}
