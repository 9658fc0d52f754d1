import { Empty } from '../parts/states.tsx'

/** All runs, one run, and two beside each other. */
export function Runs() {
  return <Empty>Soon.</Empty>
}
