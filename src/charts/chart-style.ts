/** How charts look. Lengths are in the picture's own pixels, of which a telephone shows about half as many. */
export const CHART_STYLE = {
  width: 640,
  pieWidth: 580,
  height: 380,
  /** Pixels of the picture for one of its own, for screens of high density. */
  zoom: 2,
  margin: 20,
  /** DejaVu covers most alphabets, right-to-left ones too, and is installed with the project; others come from the system where it has them. */
  font: 'DejaVu Sans',
  titleSize: 18,
  textSize: 15,
  smallSize: 14,
  /** A background of its own: a picture stands in light and in dark clients. */
  background: '#ffffff',
  ink: '#1f2328',
  softInk: '#59636e',
  line: '#d8dee4',
  /** Told apart by people who see few colours, too: they differ in lightness as well. */
  colors: ['#2563c9', '#e07b00', '#138a5b', '#b5307f', '#6b4fd8', '#5c6773'],
} as const
