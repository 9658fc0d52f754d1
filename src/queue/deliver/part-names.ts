/** The ledger's names for the parts of a reply. An answer's parts after the first are numbered from 2. */
export const FIRST_PART = '1'
/** A new first part, posted after somebody has removed the first one. */
export const REPOSTED_FIRST_PART = '1b'
/** The message that streams the answer. It becomes the first part when the answer is complete. */
export const STREAM_PART = 's'
/** The former placeholder. It has this name once the streamed message is the first part. */
export const PLACEHOLDER_PART = '1p'
export const NOTIFICATION_PART = '0'
