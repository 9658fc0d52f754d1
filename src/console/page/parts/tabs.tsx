import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useRoving } from './roving.ts'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly id: string; readonly label: string }[]
  readonly chosen: string
  choose(id: string): void
  readonly children: ComponentChildren
}

/** Tabs with arrow keys, and the panel of the chosen one. */
export function Tabs({ label, tabs, chosen, choose, children }: TabsProps) {
  const panel = useId()
  const roving = useRoving<HTMLDivElement>('[role=tab]')
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} {...roving}>
        {tabs.map(({ id, label: name }) => {
          const pick = () => id !== chosen && choose(id)
          const state = { id: `${panel}-${id}`, 'aria-selected': id === chosen, 'aria-controls': panel }
          return (
            <button key={id} type="button" role="tab" {...state} onFocus={pick} onClick={pick}>
              {name}
            </button>
          )
        })}
      </div>
      <div role="tabpanel" id={panel} aria-labelledby={`${panel}-${chosen}`}>
        {children}
      </div>
    </>
  )
}
