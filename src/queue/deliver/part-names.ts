/** Names of a reply's parts in the ledger. Further parts of an answer are numbered from 2. */
export const FIRST_PART = '1'
/** Replaces a first part that somebody has removed. */
export const REPOSTED_FIRST_PART = '1b'
/** The message that streams the answer. It becomes the first part when the answer is complete. */
export const STREAM_PART = 's'
/** The placeholder, after the stream has become the first part. */
export const PLACEHOLDER_PART = '1p'
export const NOTIFICATION_PART = '0'
