import Panzoom, { type PanzoomObject } from '@panzoom/panzoom'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { GraphNodeJson } from '../../lineage-views.ts'
import { count } from '../format.ts'
import { Action } from '../parts/action.tsx'
import type { RunView } from './run.tsx'

/** The least height of the canvas, and the room around a graph that fits into it. */
const PX = { least: 280, room: 110 } as const
/** Below this scale nobody can read the texts. They are the most costly to draw, so they are left out. */
const READABLE = 0.3
/** A selected table that is too small or out of sight is brought to the middle, at this scale at least. */
const SHOWN = 0.85
/** A press may move the graph this far, in its own pixels, and still be a press. */
const SLIP = 4
/** The directions of the arrow keys. */
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** The keys with Shift move the graph so far, in pixels. */
const MOVE = 60

/** Finds the table to which an arrow key leads: along a line to the left or right, else up or down in the column. */
function neighbour({ nodes, lines }: RunView['graph'], table: string | undefined, [right, down]: readonly [number, number]) {
  const at = nodes.findIndex(node => node.table === table)
  const from = nodes[at]
  if (from === undefined) return nodes[0]
  const ends = lines.flatMap(line => (right > 0 && line.from === at ? [line.to] : right < 0 && line.to === at ? [line.from] : []))
  const near =
    right === 0 ? nodes.filter(({ x, y }) => x === from.x && (y - from.y) * down > 0) : ends.flatMap(end => nodes[end] ?? [])
  return near.toSorted((one, other) => Math.abs(one.y - from.y) - Math.abs(other.y - from.y))[0]
}

/** Draws the graph of a run. Moving it changes the transform of one group only, so that 500 tables do not stutter. */
export function Graph({ graph, marks, selected, choose }: RunView) {
  const box = useRef<HTMLDivElement>(null)
  const group = useRef<SVGGElement>(null)
  const mover = useRef<PanzoomObject>()
  /** Texts are made once they can be read. */
  const [isNear, setNear] = useState(false)
  useLayoutEffect(() => {
    const [outer, inner] = [box.current, group.current]
    if (outer === null || inner === null) return
    const { clientWidth, clientHeight } = outer
    const startScale = Math.min(1, (clientWidth - 40) / graph.width, (clientHeight - 60) / graph.height)
    const panzoom = Panzoom(inner, {
      canvas: true,
      cursor: 'grab',
      minScale: startScale / 2,
      maxScale: 3,
      startScale,
      startX: (clientWidth / startScale - graph.width) / 2,
      startY: (clientHeight / startScale - graph.height) / 2,
      setTransform: (_, { scale, x, y }) => {
        inner.setAttribute('transform', `scale(${scale}) translate(${x} ${y})`)
        inner.classList.toggle('far', scale < READABLE)
        if (scale >= READABLE) setNear(true)
      },
    })
    mover.current = panzoom
    outer.addEventListener('wheel', panzoom.zoomWithWheel, { passive: false })
    return () => {
      outer.removeEventListener('wheel', panzoom.zoomWithWheel)
      panzoom.destroy()
    }
  }, [graph])
  useLayoutEffect(() => {
    const { current: panzoom } = mover
    const node = graph.nodes.find(({ table }) => table === selected)
    if (node === undefined || panzoom === undefined || box.current === null) return
    const { clientWidth, clientHeight } = box.current
    const [middleX, middleY] = [node.x + node.width / 2, node.y + node.height / 2]
    const { x, y } = panzoom.getPan()
    const scale = panzoom.getScale()
    const isIn = (at: number, length: number) => at > 0 && at < length
    if (scale >= SHOWN && isIn((x + middleX) * scale, clientWidth) && isIn((y + middleY) * scale, clientHeight)) return
    const next = Math.max(scale, SHOWN)
    panzoom.zoom(next)
    panzoom.pan(clientWidth / 2 / next - middleX, clientHeight / 2 / next - middleY)
  }, [graph, selected])
  const start = useRef<{ readonly x: number; readonly y: number }>()
  const select = (table: string) => {
    const [{ x, y }, before] = [mover.current?.getPan() ?? { x: 0, y: 0 }, start.current]
    // The press that moves the graph selects nothing.
    if (before === undefined || Math.hypot(x - before.x, y - before.y) < SLIP) choose({ table, column: null })
  }
  const press = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    if (arrow !== undefined && event.shiftKey) {
      const step = -MOVE / (mover.current?.getScale() ?? 1)
      mover.current?.pan(step * arrow[0], step * arrow[1], { relative: true })
    } else if (arrow !== undefined) {
      const next = neighbour(graph, selected, arrow)
      if (next !== undefined) choose({ table: next.table, column: null })
    } else if (event.key === '+') mover.current?.zoomIn()
    else if (event.key === '-') mover.current?.zoomOut()
    else if (event.key === '0') mover.current?.reset()
    else return
    event.preventDefault()
  }
  const isLit = (node: GraphNodeJson | undefined) => marks.lit.size === 0 || (node !== undefined && marks.lit.has(node.table))
  const pathOf = (isMeant: boolean) =>
    graph.lines
      .map(({ from, to, path }) => ((isLit(graph.nodes[from]) && isLit(graph.nodes[to])) === isMeant ? path : ''))
      .join('')
  const at = graph.nodes.findIndex(({ table }) => table === selected)
  return (
    <div class="graph">
      <div
        ref={box}
        style={{ height: `min(65vh, ${Math.max(PX.least, graph.height + PX.room)}px)` }}
        role="listbox"
        tabIndex={0}
        aria-label={`Graph of ${count(graph.nodes.length, 'table')}. Arrow keys go from table to table, with Shift they move it, + and - zoom, 0 fits it.`}
        aria-activedescendant={at < 0 ? undefined : `table-${at}`}
        onKeyDown={press}
      >
        <svg role="presentation">
          <g ref={group} onPointerDown={() => (start.current = mover.current?.getPan())}>
            {/* Two paths draw all lines in much less time than one for each. */}
            <path d={pathOf(true)} />
            <path class="dim" d={pathOf(false)} />
            {graph.nodes.map((node, index) => {
              const { table, label, x, y, width, height, lines, kind, state, rows } = node
              const tag = marks.tags.get(table)
              const facts = [state === 'live' ? '' : state, rows === null ? '' : count(rows, 'row')].filter(fact => fact !== '')
              const look = `${kind} ${state} ${tag ? 'tagged' : ''} ${isLit(node) ? '' : 'dim'} ${table === selected ? 'selected' : ''}`
              const shown = marks.counts.get(table) ?? facts.join(', ')
              const option = {
                id: `table-${index}`,
                role: 'option',
                'aria-selected': table === selected,
                // Texts name it, once they are there.
                'aria-label': isNear ? undefined : `${label}, ${shown}`,
              } as const
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: the box has the focus, and its keys choose.
                <g key={table} class={look} {...option} transform={`translate(${x} ${y})`} onClick={() => select(table)}>
                  <rect width={width} height={height} rx={kind === 'intermediate' ? 8 : 2} />
                  {isNear && (
                    <>
                      <text class="small tag" x={width / 2} y={-6}>
                        {tag && `${tag} `}
                      </text>
                      {lines.map((line, row) => (
                        <text x={width / 2} y={24 + row * 20}>
                          {`${line} `}
                        </text>
                      ))}
                      <text class="small" x={width / 2} y={height - 12}>
                        {shown}
                      </text>
                    </>
                  )}
                </g>
              )
            })}
          </g>
        </svg>
      </div>
      <div class="zoom">
        <Action label="+" name="Zoom in" work={() => mover.current?.zoomIn()} />
        <Action label="−" name="Zoom out" work={() => mover.current?.zoomOut()} />
        <Action label="Fit" work={() => mover.current?.reset()} />
      </div>
    </div>
  )
}
