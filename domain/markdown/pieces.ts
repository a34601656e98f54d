/**
 * A part of a message whose HTML is made by a large library. Plain data, because the library may be in another thread.
 */
export type Piece =
  /** A formula in TeX, in a block or within a line. */
  | { readonly kind: 'formula'; readonly tex: string; readonly isDisplayed: boolean }
  /** Code with the name of its language. */
  | { readonly kind: 'code'; readonly code: string; readonly language: string }

/** HTML of a piece. If it is undefined, the source is shown. */
export type PieceHtml = string | undefined

/** Returns the HTML of all `pieces` of one message, in order. */
export type RenderPieces = (pieces: readonly Piece[]) => Promise<readonly PieceHtml[]>

/** Maximum UTF-8 bytes of the HTML of one message. Longer ones are shown more simply. */
export const MAX_HTML_BYTES = 256 * 1024

export function isTooLong(html: string): boolean {
  return html.length * 3 > MAX_HTML_BYTES && Buffer.byteLength(html) > MAX_HTML_BYTES
}
