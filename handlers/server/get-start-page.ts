import { createHash } from 'node:crypto'
import { PAGE_STYLE } from '../../views/page-style.ts'
import { startPage } from '../../views/start-page.ts'
import { type Handler, RawAnswer } from '../handler.ts'

/** GET /: the page for people who open the server's URL in a browser. */
export const getStartPage: Handler<'get-start-page'> = async ({ db, site }) => {
  const style = createHash('sha256').update(PAGE_STYLE).digest('base64')
  const policy = `default-src 'none'; img-src 'self'; style-src 'sha256-${style}'; base-uri 'none'; frame-ancestors 'none'`
  return new RawAnswer(
    'text/html; charset=utf-8',
    startPage({ organization: db.read.organization.name, publicUrl: site.publicUrl }),
    policy,
  )
}
