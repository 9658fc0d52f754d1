import Panzoom, { type PanzoomObject } from '@panzoom/panzoom'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { GraphNodeJson } from '../../lineage-json.ts'
import { count } from '../format.ts'
import type { RunView } from './run.tsx'

/** The least height of the canvas, and the room around a graph that fits into it. */
const PX = { least: 280, room: 110 } as const
/** Below this scale nobody can read the texts. They are the most costly to draw, so they are left out. */
const READABLE = 0.3
/** A selected table that is out of sight is brought to the middle, at this scale at least. */
const SHOWN = 0.8
/** A press may move the graph this far, in its own pixels, and still be a press. */
const SLIP = 4
/** The moves of the arrow keys, in pixels. */
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [60, 0],
  ArrowRight: [-60, 0],
  ArrowUp: [0, 60],
  ArrowDown: [0, -60],
}

/** Draws the graph of a run. Moving it changes the transform of one group only, so that 500 tables do not stutter. */
export function Graph({ graph, marks, selected, choose }: RunView) {
  const box = useRef<HTMLDivElement>(null)
  const group = useRef<SVGGElement>(null)
  const mover = useRef<PanzoomObject>()
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
    if (scale >= READABLE && isIn((x + middleX) * scale, clientWidth) && isIn((y + middleY) * scale, clientHeight)) return
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
    const [x, y] = ARROWS[event.key] ?? []
    if (x !== undefined && y !== undefined) {
      const scale = mover.current?.getScale() ?? 1
      mover.current?.pan(x / scale, y / scale, { relative: true })
    } else if (event.key === '+') mover.current?.zoomIn()
    else if (event.key === '-') mover.current?.zoomOut()
    else if (event.key === '0') mover.current?.reset()
    else return
    event.preventDefault()
  }
  const isLit = (node: GraphNodeJson | undefined) => marks.lit.size === 0 || (node !== undefined && marks.lit.has(node.table))
  return (
    <div class="graph">
      <div
        ref={box}
        style={{ height: `min(65vh, ${Math.max(PX.least, graph.height + PX.room)}px)` }}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the graph, and the tab Tables has all of it for them.
        tabIndex={0}
        aria-label={`Graph of ${count(graph.nodes.length, 'table')}. Arrow keys move it, + and - zoom, 0 fits it. The tab Tables lists them.`}
        onKeyDown={press}
      >
        <svg aria-hidden="true">
          <g ref={group} onPointerDown={() => (start.current = mover.current?.getPan())}>
            {graph.lines.map(({ from, to, path }) => (
              <path class={isLit(graph.nodes[from]) && isLit(graph.nodes[to]) ? '' : 'dim'} d={path} />
            ))}
            {graph.nodes.map(node => {
              const { table, x, y, width, height, lines, kind, state, rows } = node
              const tag = marks.tags.get(table)
              const facts = [state === 'live' ? '' : state, rows === null ? '' : count(rows, 'row')].filter(fact => fact !== '')
              const look = `${kind} ${state} ${tag ? 'tagged' : ''} ${isLit(node) ? '' : 'dim'} ${table === selected ? 'selected' : ''}`
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: the tab Tables has a button for each table.
                <g key={table} class={look} transform={`translate(${x} ${y})`} onClick={() => select(table)}>
                  <text class="small" x={width / 2} y={-6}>
                    {tag}
                  </text>
                  <rect width={width} height={height} rx={kind === 'intermediate' ? 8 : 2} />
                  {lines.map((line, at) => (
                    <text x={width / 2} y={22 + at * 18}>
                      {line}
                    </text>
                  ))}
                  <text class="small" x={width / 2} y={height - 12}>
                    {marks.counts.get(table) ?? facts.join(', ')}
                  </text>
                </g>
              )
            })}
          </g>
        </svg>
      </div>
      <div class="zoom">
        <button type="button" aria-label="Zoom in" onClick={() => mover.current?.zoomIn()}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => mover.current?.zoomOut()}>
          −
        </button>
        <button type="button" onClick={() => mover.current?.reset()}>
          Fit
        </button>
      </div>
    </div>
  )
}
