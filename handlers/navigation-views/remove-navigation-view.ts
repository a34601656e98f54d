import { removeNavigationView as remove } from '../../actions/navigation-views.ts'
import type { Handler } from '../handler.ts'

/** DELETE /navigation_views/{fragment}. */
export const removeNavigationView: Handler<'remove-navigation-view'> = async ({ input, write }) => {
  await write((tx, { id }) => remove(tx, id, input.fragment))
  return {}
}
