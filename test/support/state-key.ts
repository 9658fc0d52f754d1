/** The key with which values in Redis are signed. The tests and the processes that they start share it. */
export const TEST_STATE_KEY = 'a key of the tests, which guards nothing'
