import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { GraphNodeJson, RunGraphJson } from '../../lineage-json.ts'
import { count } from '../format.ts'

/** What the page knows of a table beside its own facts. */
export interface Marks {
  readonly selected?: string | undefined
  /** Tables to which the graph leads the eye. If there are any, the others are dimmed. */
  readonly lit: ReadonlySet<string>
  /** Words above a box. */
  readonly tags: ReadonlyMap<string, string>
  /** Words in place of the number of rows. */
  readonly counts: ReadonlyMap<string, string>
}

/** Where the graph is on the screen: its offset in pixels, and its scale. */
interface View {
  readonly x: number
  readonly y: number
  readonly scale: number
}

const SCALES = { least: 0.02, most: 3, step: 1.3 } as const
/** The least height of the canvas. */
const LEAST_PX = 280
/** A press that moves less far selects a table. */
const SLIP_PX = 4

/**
 * Draws the graph of a run. It moves by wheel, drag, pinch, buttons and keys. Moving changes the transform of one group only, at
 * most once a frame, so that 500 tables do not stutter.
 */
export function Graph({
  graph,
  marks,
  select,
}: {
  readonly graph: RunGraphJson
  readonly marks: Marks
  select(table: string): void
}) {
  const box = useRef<HTMLDivElement>(null)
  const group = useRef<SVGGElement>(null)
  const mover = useMemo(() => new Mover(), [])
  useEffect(() => {
    if (box.current === null || group.current === null) return
    return mover.hold(box.current, group.current)
  }, [mover])
  useEffect(() => mover.fit(graph), [mover, graph])
  const selected = graph.nodes.find(({ table }) => table === marks.selected)
  useEffect(() => selected && mover.show(selected), [mover, selected])
  const press = (event: MouseEvent) => {
    const table = (event.target as Element).closest<SVGElement>('[data-table]')?.dataset.table
    if (table !== undefined && !mover.hasMoved) select(table)
  }
  return (
    <div class="graph">
      <div
        class="canvas"
        ref={box}
        style={{ height: `min(65vh, ${Math.max(LEAST_PX, graph.height + 110)}px)` }}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the graph, and the tab Tables has all of it for them.
        tabIndex={0}
        aria-label={`Graph of ${count(graph.nodes.length, 'table')}. Arrow keys move it, + and - zoom, 0 fits it. The tab Tables lists them.`}
        onKeyDown={event => mover.press(event, graph)}
        onClick={press}
      >
        <svg aria-hidden="true">
          <g ref={group}>
            {graph.lines.map(({ from, to, path }) => (
              <path
                key={`${from} ${to}`}
                class={`line ${isLit(graph.nodes[from], marks) && isLit(graph.nodes[to], marks) ? '' : 'dim'}`}
                d={path}
              />
            ))}
            {graph.nodes.map(node => (
              <Box key={node.table} node={node} marks={marks} />
            ))}
          </g>
        </svg>
      </div>
      <div class="zoom">
        <button type="button" aria-label="Zoom in" onClick={() => mover.zoom(SCALES.step)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => mover.zoom(1 / SCALES.step)}>
          −
        </button>
        <button type="button" onClick={() => mover.fit(graph)}>
          Fit
        </button>
      </div>
    </div>
  )
}

function isLit(node: GraphNodeJson | undefined, { lit }: Marks): boolean {
  return lit.size === 0 || (node !== undefined && lit.has(node.table))
}

function Box({ node, marks }: { readonly node: GraphNodeJson; readonly marks: Marks }) {
  const { table, x, y, width, height, lines, kind, state, rows } = node
  const tag = marks.tags.get(table)
  const facts = [state === 'live' ? '' : state, rows === null ? '' : count(rows, 'row')].filter(fact => fact !== '').join(', ')
  const look = [kind, state, tag ? 'tagged' : '', isLit(node, marks) ? '' : 'dim', table === marks.selected ? 'selected' : '']
  return (
    <g class={`box ${look.join(' ')}`} transform={`translate(${x} ${y})`} data-table={table}>
      {tag && (
        <text class="tag" x={width / 2} y={-6}>
          {tag}
        </text>
      )}
      <rect width={width} height={height} rx={kind === 'intermediate' ? 8 : 2} />
      {lines.map((line, at) => (
        <text key={at} x={width / 2} y={22 + at * 18}>
          {line}
        </text>
      ))}
      <text class="facts" x={width / 2} y={height - 12}>
        {marks.counts.get(table) ?? facts}
      </text>
    </g>
  )
}

/** Moves a group of SVG inside of a box. */
class Mover {
  hasMoved = false
  #view: View = { x: 0, y: 0, scale: 1 }
  #frame = 0
  #box: HTMLElement | undefined
  #group: SVGGElement | undefined
  /** The fingers or the mouse button that are down, by their ids. */
  readonly #down = new Map<number, { readonly x: number; readonly y: number }>()

  hold(box: HTMLElement, group: SVGGElement): () => void {
    this.#box = box
    this.#group = group
    const left = new AbortController()
    const listen = { signal: left.signal, passive: false }
    box.addEventListener('wheel', event => this.#wheel(event), listen)
    box.addEventListener('pointerdown', event => this.#pointerDown(event), listen)
    box.addEventListener('pointermove', event => this.#pointerMove(event), listen)
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
      box.addEventListener(end, ({ pointerId }) => this.#down.delete(pointerId), listen)
    return () => left.abort()
  }

  fit({ width, height }: Pick<RunGraphJson, 'width' | 'height'>): void {
    const { clientWidth, clientHeight } = this.#box ?? { clientWidth: 1, clientHeight: 1 }
    const scale = Math.max(SCALES.least, Math.min(1, (clientWidth - 40) / width, (clientHeight - 60) / height))
    this.#move({ x: (clientWidth - width * scale) / 2, y: (clientHeight - height * scale) / 2, scale })
  }

  /** Brings a box of the graph into sight, if it is out of it. */
  show({ x, y, width, height }: Pick<GraphNodeJson, 'x' | 'y' | 'width' | 'height'>): void {
    const { clientWidth, clientHeight } = this.#box ?? { clientWidth: 1, clientHeight: 1 }
    const { scale } = this.#view
    const middle = { x: (x + width / 2) * scale, y: (y + height / 2) * scale }
    const at = { x: middle.x + this.#view.x, y: middle.y + this.#view.y }
    if (at.x > 0 && at.x < clientWidth && at.y > 0 && at.y < clientHeight) return
    this.#move({ x: clientWidth / 2 - middle.x, y: clientHeight / 2 - middle.y, scale })
  }

  /** @param at the point that stays where it is; undefined for the middle */
  zoom(by: number, at?: { readonly x: number; readonly y: number }): void {
    const { clientWidth = 0, clientHeight = 0 } = this.#box ?? {}
    const { x: fixedX, y: fixedY } = at ?? { x: clientWidth / 2, y: clientHeight / 2 }
    const { x, y, scale } = this.#view
    const next = Math.min(SCALES.most, Math.max(SCALES.least, scale * by))
    this.#move({ x: fixedX - ((fixedX - x) * next) / scale, y: fixedY - ((fixedY - y) * next) / scale, scale: next })
  }

  press(event: KeyboardEvent, graph: RunGraphJson): void {
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key]
    if (step !== undefined) this.#pan(step[0] ?? 0, step[1] ?? 0)
    else if (event.key === '+' || event.key === '=') this.zoom(SCALES.step)
    else if (event.key === '-') this.zoom(1 / SCALES.step)
    else if (event.key === '0') this.fit(graph)
    else return
    event.preventDefault()
  }

  #pan(x: number, y: number): void {
    this.#move({ ...this.#view, x: this.#view.x + x, y: this.#view.y + y })
  }

  #move(view: View): void {
    this.#view = view
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0
      const { x, y, scale } = this.#view
      this.#group?.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`)
    })
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault()
    const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    this.zoom(1.0015 ** -event.deltaY, { x: event.clientX - left, y: event.clientY - top })
  }

  #pointerDown({ pointerId, clientX: x, clientY: y, button }: PointerEvent): void {
    if (button !== 0) return
    if (this.#down.size === 0) this.hasMoved = false
    this.#down.set(pointerId, { x, y })
  }

  #pointerMove({ pointerId, clientX: x, clientY: y }: PointerEvent): void {
    const before = this.#down.get(pointerId)
    if (before === undefined || this.#box === undefined) return
    if (!this.hasMoved && Math.hypot(x - before.x, y - before.y) < SLIP_PX) return
    // From now on the press is a movement, which goes on outside of the box.
    if (!this.hasMoved) this.#box.setPointerCapture(pointerId)
    this.hasMoved = true
    this.#down.set(pointerId, { x, y })
    const other = [...this.#down].find(([id]) => id !== pointerId)?.[1]
    if (other === undefined) {
      this.#pan(x - before.x, y - before.y)
      return
    }
    const { left, top } = this.#box.getBoundingClientRect()
    const spread = (point: typeof before) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y))
    this.zoom(spread({ x, y }) / spread(before), { x: (x + other.x) / 2 - left, y: (y + other.y) / 2 - top })
  }
}
