import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

export interface Tab {
  readonly id: string
  readonly label: ComponentChildren
}

/** Tabs with arrow keys, and the panel of the chosen one. */
export function Tabs({
  label,
  tabs,
  chosen,
  choose,
  children,
}: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly chosen: string
  choose(id: string): void
  readonly children: ComponentChildren
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    const at = (tabs.findIndex(tab => tab.id === chosen) + step + tabs.length) % tabs.length
    choose(tabs[at]?.id ?? chosen)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(tab => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => choose(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  )
}
