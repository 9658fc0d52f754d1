import { useLayoutEffect, useRef } from 'preact/hooks'

/** The steps of the arrow keys. Up and down keep to the column of a table. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }

/** Makes all elements of a selector in a box one stop of the Tab key. The arrow keys move between them. */
export function useRoving<Box extends HTMLElement>(selector: string) {
  const ref = useRef<Box>(null)
  const stops = () => [...(ref.current?.querySelectorAll<HTMLElement>(selector) ?? [])]
  useLayoutEffect(() => {
    const all = stops()
    const current = all.find(stop => stop === document.activeElement) ?? all[0]
    for (const stop of all) stop.tabIndex = stop === current ? 0 : -1
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const all = stops()
    const at = all.indexOf(event.target as HTMLElement)
    if (step === undefined || at < 0) return
    event.preventDefault()
    const columnOf = (stop: HTMLElement | undefined) => stop?.closest('td')?.cellIndex
    let next = at + step
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown')
      while (all[next] !== undefined && columnOf(all[next]) !== columnOf(all[at])) next += step
    const stop = all[next]
    if (stop === undefined) return
    for (const other of all) other.tabIndex = other === stop ? 0 : -1
    stop.focus()
  }
  return { ref, onKeyDown }
}
