/** What Clew shows for one message, before a platform renders it. */
export type Reply =
  | { readonly kind: 'progress'; readonly lines: readonly string[] }
  /** Markdown; it may hold [Q1] citations. Hostile until rendered: it must not ping, link or break the format. */
  | { readonly kind: 'answer'; readonly markdown: string }
  | { readonly kind: 'error'; readonly sentence: string }
  /** A short message that mentions the author and nobody else: their answer took long, and edits are silent. */
  | { readonly kind: 'notification'; readonly author: string }
