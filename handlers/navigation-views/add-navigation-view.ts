import { addNavigationView as add } from '../../actions/navigation-views.ts'
import type { Handler } from '../handler.ts'

/** POST /navigation_views. */
export const addNavigationView: Handler<'add-navigation-view'> = async ({ input, write }) => {
  const { fragment, is_pinned, name = null } = input
  await write((tx, { id }) => add(tx, id, { fragment, is_pinned, name }))
  return {}
}
