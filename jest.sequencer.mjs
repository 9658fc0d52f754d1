import Sequencer from '@jest/test-sequencer'

/** Begun first, these end long before the last. Many of them wait, for processes to die and others to take over. */
const LONGEST =
  /(?:(?:question-that-kills|worker-killed|cli|held-loop|load|pipelines|engine-sql-guard|fuzz|injections|stopped-process|killed-worker|broken-engine|world|citations)\.integration|linear-time\/(?:parsers|expressions))\.test\.ts$/

/** On a clean checkout jest knows no durations and goes by size of file, so that a short file of long tests would come last and be waited for alone. */
export default class SlowestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => (LONGEST.test(path) ? 0 : path.includes('.integration.') ? 1 : 2)
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b))
  }
}
