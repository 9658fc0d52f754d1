/** The key that signs values in Redis, in the tests and in the processes that they start. */
export const TEST_STATE_KEY = 'a key of the tests, which guards nothing'
