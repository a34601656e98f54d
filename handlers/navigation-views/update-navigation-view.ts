import { changeNavigationView } from '../../actions/navigation-views.ts'
import type { Handler } from '../handler.ts'

/** PATCH /navigation_views/{fragment}. */
export const updateNavigationView: Handler<'update-navigation-view'> = async ({ input, write }) => {
  await write((tx, { id }) => changeNavigationView(tx, id, input.fragment, input))
  return {}
}
