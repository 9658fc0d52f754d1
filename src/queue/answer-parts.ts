/** The parts of what a message gets, by their names in the ledger; further parts of an answer are numbered from 2. */
export const FIRST = '1'
/** Instead of the first part, where somebody has removed that. */
export const FIRST_AGAIN = '1b'
/** The message in which the answer is streamed; it becomes the first part when the answer is done. */
export const STREAM = 's'
/** The placeholder, when the stream has become the first part. */
export const PLACEHOLDER = '1p'
export const NOTIFICATION = '0'
