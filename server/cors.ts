import type { Middleware } from 'koa'

/** Lets web pages of these origins call the API. Pages send credentials themselves, so cookies are not allowed. */
export function cors(origins: readonly string[]): Middleware {
  const isAny = origins.includes('*')
  return (ctx, next) => {
    const origin = ctx.get('Origin')
    // Set for every caller, so that caches keep answers for different origins apart.
    if (!isAny && origins.length > 0) ctx.vary('Origin')
    if (!isAny && (origin === '' || !origins.includes(origin))) return next()
    ctx.set('Access-Control-Allow-Origin', isAny ? '*' : origin)
    ctx.set(
      'Access-Control-Expose-Headers',
      'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After',
    )
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') return next()
    ctx.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
    ctx.set('Access-Control-Allow-Headers', 'Authorization, Content-Type')
    ctx.set('Access-Control-Max-Age', '600')
    ctx.status = 204
    return
  }
}
