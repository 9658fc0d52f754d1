/** The names of a reply's parts in the ledger. The first part is '1', and the next parts are '2', '3' and so on. */
export const FIRST_PART = '1'
/** The name of a first part that was posted again because somebody had removed the message. */
export const REPOSTED_FIRST_PART = '1b'
/** The name of the message that streams the answer. When the answer is complete, this message becomes the first part. */
export const STREAM_PART = 's'
/** The new name of the placeholder after the streamed message has become the first part. */
export const PLACEHOLDER_PART = '1p'
export const NOTIFICATION_PART = '0'
