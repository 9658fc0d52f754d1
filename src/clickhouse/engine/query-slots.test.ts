import { expect, it } from '@jest/globals'
import { QuerySlots } from './query-slots.ts'

const { signal } = new AbortController()

it('runs the next query beside a slow one while an extra slot is free', async () => {
  const slots = new QuerySlots({ size: 1, slow: { afterMs: 5, size: 1 } })
  const gates = Array.from({ length: 3 }, () => gate())
  const running = gates.map(({ started, opened }) =>
    slots.run(signal, () => {
      started.open()
      return opened.promise
    }),
  )
  await gates[0]?.started.promise
  await gates[1]?.started.promise
  let third = false
  gates[2]?.started.promise.then(() => {
    third = true
  })
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(third).toBe(false)
  gates[0]?.opened.open()
  await gates[2]?.started.promise
  for (const { opened } of gates) opened.open()
  await Promise.all(running)
})

function gate() {
  return { started: door(), opened: door() }
}

function door() {
  let open = () => {}
  const promise = new Promise<void>(resolve => {
    open = resolve
  })
  return { promise, open: () => open() }
}
