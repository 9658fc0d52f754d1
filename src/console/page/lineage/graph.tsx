import Panzoom, { type PanzoomObject } from '@panzoom/panzoom'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { count, facts } from '../format.ts'
import { Action } from '../parts/controls.tsx'
import type { RunView } from './run.tsx'

/** The least height of the canvas, and the room around a graph that fits into it. */
const PX = { least: 280, room: 110 } as const
/** Below this scale nobody can read the texts. They are the most costly to draw, so they are hidden. */
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
function neighbour({ nodes, lines }: RunView['graph'], at: number, [right, down]: readonly [number, number]) {
  const from = nodes[at]
  if (from === undefined) return nodes[0]
  const ends = right > 0 ? lines.filter(line => line.from === at) : lines.filter(line => line.to === at)
  const beside = ends.flatMap(line => nodes[right > 0 ? line.to : line.from] ?? [])
  const near = right === 0 ? nodes.filter(({ x, y }) => x === from.x && (y - from.y) * down > 0) : beside
  return near.toSorted((one, other) => Math.abs(one.y - from.y) - Math.abs(other.y - from.y))[0]
}

/** Draws the graph of a run. Moving it changes the transform of one group only, so that 500 tables do not stutter. */
export function Graph({ graph, nodes, chosen, choose }: RunView) {
  const box = useRef<HTMLDivElement>(null)
  const group = useRef<SVGGElement>(null)
  const mover = useRef<PanzoomObject>()
  const start = useRef<{ readonly x: number; readonly y: number }>()
  const selected = graph.nodes.findIndex(({ table }) => table === chosen.table)
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
    const node = graph.nodes[selected]
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
  const select = (table: string) => {
    const now = mover.current?.getPan() ?? { x: 0, y: 0 }
    const { x, y } = start.current ?? now
    // The press that moves the graph selects nothing.
    if (Math.hypot(now.x - x, now.y - y) < SLIP) choose({ table, column: undefined })
  }
  const press = (event: KeyboardEvent) => {
    const { current: panzoom } = mover
    const [right, down] = ARROWS[event.key] ?? [0, 0]
    const step = -MOVE / (panzoom?.getScale() ?? 1)
    const next = neighbour(graph, selected, [right, down])
    if (event.key === '+') panzoom?.zoomIn()
    else if (event.key === '-') panzoom?.zoomOut()
    else if (event.key === '0') panzoom?.reset()
    else if (right === 0 && down === 0) return
    else if (event.shiftKey) panzoom?.pan(step * right, step * down, { relative: true })
    else if (next !== undefined) choose({ table: next.table, column: undefined })
    event.preventDefault()
  }
  const isAll = !nodes.some(({ isLit }) => isLit)
  const isShown = (at: number) => isAll || nodes[at]?.isLit
  const pathOf = (isMeant: boolean) =>
    graph.lines.map(({ from, to, path }) => (Boolean(isShown(from) && isShown(to)) === isMeant ? path : '')).join('')
  const name = `Graph of ${count(graph.nodes.length, 'table')}. Arrow keys go from table to table, with Shift they move it, + and - zoom, 0 fits it.`
  return (
    <div class="graph">
      <div
        {...{ ref: box, onKeyDown: press }}
        role="listbox"
        tabIndex={0}
        aria-label={name}
        style={{ height: `min(65vh, ${Math.max(PX.least, graph.height + PX.room)}px)` }}
        aria-activedescendant={selected < 0 ? undefined : `table-${selected}`}
      >
        <svg role="presentation">
          <g ref={group} onPointerDown={() => (start.current = mover.current?.getPan())}>
            {/* Two paths draw all lines in much less time than one for each. */}
            <path d={pathOf(true)} />
            <path class="dim" d={pathOf(false)} />
            {nodes.map(({ table, x, y, width, height, lines, kind, state, rows, tag, held }, at) => {
              const shown = held ?? facts(state !== 'live' && state, rows !== null && count(rows, 'row'))
              const texts: readonly (readonly [text: string, y: number, size?: string])[] = [
                [tag, -6, 'small tag'],
                ...lines.map((line, row) => [line, 24 + row * 20] as const),
                [shown, height - 12, 'small'],
              ]
              const look = `${kind} ${state} ${tag ? 'tagged' : ''} ${isShown(at) ? '' : 'dim'} ${at === selected ? 'selected' : ''}`
              const option = {
                id: `table-${at}`,
                role: 'option',
                'aria-label': texts
                  .map(([text]) => text)
                  .join(' ')
                  .trim(),
              } as const
              return (
                <g
                  key={table}
                  class={look}
                  {...{ ...option, 'aria-selected': at === selected, onClick: () => select(table) }}
                  transform={`translate(${x} ${y})`}
                >
                  <rect width={width} height={height} rx={kind === 'intermediate' ? 8 : 2} />
                  {/* A space keeps the texts apart for whoever reads them without the picture. */}
                  {texts.map(([text, row, size]) => (
                    <text key={row} {...{ class: size, x: width / 2, y: row }}>{`${text} `}</text>
                  ))}
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
