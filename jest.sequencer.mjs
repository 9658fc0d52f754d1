import Sequencer from '@jest/test-sequencer'

/** Suites that mostly wait, for processes to die and others to take over: begun first, they end long before the last. */
const LONGEST = /(?:worker-killed|killed-worker|engine-sql-guard|fuzz|cli|injections)\.integration\.test\.ts$/

/** On a clean checkout jest knows no durations and goes by size of file, so that a short file of long tests would come last and be waited for alone. */
export default class SlowestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => (LONGEST.test(path) ? 0 : path.includes('.integration.') ? 1 : 2)
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b))
  }
}
