/** The style of charts. Lengths are in the picture's pixels. A phone shows the picture at about half its size. */
export const CHART_STYLE = {
  width: 640,
  pieWidth: 580,
  height: 380,
  /** The PNG has this many pixels per pixel of the picture, for screens of high density. */
  zoom: 2,
  margin: 20,
  /**
   * DejaVu Sans has most alphabets, including right-to-left ones, and is part of Clew. For other characters, the system's fonts
   * are used.
   */
  font: 'DejaVu Sans',
  titleSize: 18,
  textSize: 15,
  smallSize: 14,
  /** The background is opaque, because a chat client may be light or dark. */
  background: '#ffffff',
  ink: '#1f2328',
  softInk: '#59636e',
  line: '#d8dee4',
  /** The colors of series. Their lightness differs too, for people with colour blindness. */
  colors: ['#2563c9', '#e07b00', '#138a5b', '#b5307f', '#6b4fd8', '#5c6773'],
} as const
