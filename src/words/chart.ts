import { inLanguages, type Language, numberText } from './language.ts'

const ENGLISH = {
  and: 'and',
  overTime: (values: string) => `${values} over time`,
  by: (values: string, label: string) => `${values} by ${label}`,
  range: (first: string, last: string) => `${first} to ${last}`,
  firstRows: (count: number) => `first ${numberText(count, 'en')} rows`,
  first: (count: number, whole: number | null) => `first ${count}${whole === null ? '' : ` of ${whole}`}`,
  none: '(none)',
  empty: '(empty)',
  axisElsewhere: 'The axis does not start at 0.',
  curvesElsewhere: 'the curves do not start at 0',
  notShown: '(this chart cannot be shown here)',
  kinds: { line: 'Line chart', bar: 'Bar chart', pie: 'Pie chart' },
  described: (kind: string, title: string, first: string, last: string) => `${kind}: ${title}. From ${first} to ${last}.`,
}

export type ChartWords = typeof ENGLISH

const GERMAN = {
  and: 'und',
  overTime: values => `${values} im Zeitverlauf`,
  by: (values, label) => `${values} nach ${label}`,
  range: (first, last) => `${first} bis ${last}`,
  firstRows: count => `die ersten ${numberText(count, 'de')} Zeilen`,
  first: (count, whole) => `die ersten ${count}${whole === null ? '' : ` von ${whole}`}`,
  none: '(ohne)',
  empty: '(leer)',
  axisElsewhere: 'Die Achse beginnt nicht bei 0.',
  curvesElsewhere: 'die Kurven beginnen nicht bei 0',
  notShown: '(dieses Diagramm lässt sich hier nicht zeigen)',
  kinds: { line: 'Liniendiagramm', bar: 'Balkendiagramm', pie: 'Kreisdiagramm' },
  described: (kind, title, first, last) => `${kind}: ${title}. Von ${first} bis ${last}.`,
} satisfies ChartWords

export const chartWords = inLanguages<ChartWords, Language | undefined>({ en: ENGLISH, de: GERMAN })
