/** The ledger's names for the parts of a reply. An answer's parts after the first are numbered from 2. */
export const FIRST_PART = '1'
/** The message that replaces a first part that somebody has removed. */
export const REPOSTED_FIRST_PART = '1b'
/** The message that streams the answer. It becomes the first part when the answer is complete. */
export const STREAM_PART = 's'
/** The former placeholder, after the streamed message has become the first part. */
export const PLACEHOLDER_PART = '1p'
export const NOTIFICATION_PART = '0'
