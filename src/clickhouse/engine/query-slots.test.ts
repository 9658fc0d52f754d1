import { expect, it } from '@jest/globals'
import { asRun } from '../../base/watched-work.ts'
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

it('keeps slots free for others, and lets waiting people take turns', async () => {
  const slots = new QuerySlots({ size: 4 })
  const order: string[] = []
  const query = (person: string) => {
    const { started, opened } = gate()
    const done = asRun({ id: person, person }, () =>
      slots.run(signal, () => {
        order.push(person)
        started.open()
        return opened.promise
      }),
    )
    return { started, end: opened.open, done }
  }
  const flood = Array.from({ length: 8 }, () => query('alice'))
  await flood[1]?.started.promise
  const other = query('bob')
  await other.started.promise
  expect(order).toEqual(['alice', 'alice', 'bob'])
  const [next, third] = [query('bob'), query('carol')]
  await third.started.promise
  const last = query('dan')
  flood[0]?.end()
  await last.started.promise
  for (const { end } of [third, other, last]) end()
  await next.started.promise
  expect(order.slice(3, 5)).toEqual(['carol', 'dan'])
  expect(order.slice(5).sort()).toEqual(['alice', 'bob'])
  for (const { end } of [...flood, next]) end()
  await Promise.all([...flood, other, next, third, last].map(({ done }) => done))
})

it('lets one person have a stated number of slots and of extra slots', async () => {
  const slots = new QuerySlots({ size: 4, ofOne: 2, slow: { afterMs: 5, size: 4, ofOne: 1 } })
  const gates = Array.from({ length: 5 }, () => gate())
  const running = gates.map(({ started, opened }) => {
    const work = () => {
      started.open()
      return opened.promise
    }
    return slots.run(signal, work, 'alice')
  })
  // One of the first two moves to the extra slot.
  await gates[2]?.started.promise
  let fourth = false
  gates[3]?.started.promise.then(() => {
    fourth = true
  })
  await slots.run(signal, async () => {}, 'bob')
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(fourth).toBe(false)
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
