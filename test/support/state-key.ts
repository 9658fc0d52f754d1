/** Signs what tests keep in Redis, in their own process and in those that they start. */
export const TEST_STATE_KEY = 'a key of the tests, which guards nothing'
