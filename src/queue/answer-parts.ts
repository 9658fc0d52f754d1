/** The parts of what a message gets, by their names in the ledger; further parts of an answer are numbered from 2. */
export const FIRST = '1'
/** Instead of the first part, where somebody has removed that. */
export const FIRST_AGAIN = '1b'
export const NOTIFICATION = '0'
