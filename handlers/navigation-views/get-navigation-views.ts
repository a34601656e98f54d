import type { Handler } from '../handler.ts'

/** GET /navigation_views. */
export const getNavigationViews: Handler<'get-navigation-views'> = async ({ actor, db }) => ({
  navigation_views: await db.read.navigationViews.of(actor.id),
})
