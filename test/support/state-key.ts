/** Signs the tests' values in Redis, in their own and in started processes. */
export const TEST_STATE_KEY = 'a key of the tests, which guards nothing'
