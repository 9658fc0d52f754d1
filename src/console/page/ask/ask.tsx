import { Empty } from '../parts/states.tsx'

/** Questions and their answers. */
export function Ask() {
  return <Empty>Soon.</Empty>
}
