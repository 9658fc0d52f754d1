import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly id: string; readonly label: ComponentChildren }[]
  readonly chosen: string
  choose(id: string): void
  readonly children: ComponentChildren
}

/** Tabs with arrow keys, and the panel of the chosen one. */
export function Tabs({ label, tabs, chosen, choose, children }: TabsProps) {
  const id = useId()
  const move = ({ key, currentTarget }: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0
    const at = (tabs.findIndex(tab => tab.id === chosen) + step + tabs.length) % tabs.length
    if (step === 0) return
    choose(tabs[at]?.id ?? chosen)
    currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(tab => {
          const isChosen = tab.id === chosen
          const shown = { id: `${id}-${tab.id}`, 'aria-selected': isChosen, 'aria-controls': id, tabIndex: isChosen ? 0 : -1 }
          return (
            <button key={tab.id} type="button" role="tab" {...shown} onClick={() => choose(tab.id)}>
              {tab.label}
            </button>
          )
        })}
      </div>
      <div role="tabpanel" id={id} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  )
}
