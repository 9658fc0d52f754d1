import { useLayoutEffect, useRef } from 'preact/hooks'

/** The steps of the arrow keys. Up and down keep to the column of a table. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }

/** Makes all elements of a selector in a box one stop of the Tab key, at the selected one. The arrow keys move between them. */
export function useRoving<Box extends HTMLElement>(selector: string) {
  const ref = useRef<Box>(null)
  const stops = () => [...(ref.current?.querySelectorAll<HTMLElement>(selector) ?? [])]
  const stopAt = (all: readonly HTMLElement[], current: HTMLElement | undefined) => {
    for (const stop of all) stop.tabIndex = stop === current ? 0 : -1
  }
  useLayoutEffect(() => {
    const all = stops()
    stopAt(all, all.find(stop => stop === document.activeElement) ?? all.find(stop => stop.ariaSelected === 'true') ?? all[0])
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const all = stops()
    const at = all.indexOf(event.target as HTMLElement)
    if (step === undefined || at < 0) return
    event.preventDefault()
    const columnOf = (stop: HTMLElement | undefined) => stop?.closest('td')?.cellIndex
    const isTurn = event.key === 'ArrowUp' || event.key === 'ArrowDown'
    const next = (step < 0 ? all.slice(0, at).reverse() : all.slice(at + 1)).find(
      stop => !isTurn || columnOf(stop) === columnOf(all[at]),
    )
    if (next === undefined) return
    stopAt(all, next)
    next.focus()
  }
  return { ref, onKeyDown }
}
