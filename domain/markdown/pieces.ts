/** A part of a message that a large library makes the HTML of. It is plain data: the library may be in another thread. */
export type Piece =
  /** A formula in TeX, on its own or within a line. */
  | { readonly kind: 'formula'; readonly tex: string; readonly isDisplayed: boolean }
  /** Code, and a name of its language. */
  | { readonly kind: 'code'; readonly code: string; readonly language: string }

/** HTML of a piece; undefined where there is none, and what was written is shown as it is. */
export type PieceHtml = string | undefined

/** HTML of all `pieces` of one message, in their order. */
export type RenderPieces = (pieces: readonly Piece[]) => Promise<readonly PieceHtml[]>

/** UTF-8 bytes of the HTML of one message. What would be longer is shown more simply. */
export const MAX_HTML_BYTES = 256 * 1024

export function isTooLong(html: string): boolean {
  return html.length * 3 > MAX_HTML_BYTES && Buffer.byteLength(html) > MAX_HTML_BYTES
}
