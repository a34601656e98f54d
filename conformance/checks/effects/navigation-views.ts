import { newFragment } from '../../acts/navigation-views.ts'
import type { Check } from '../../kernel/check.ts'
import { effect } from '../../kernel/effect.ts'
import { eventOf, hearsNothing, listen } from '../../kernel/listening.ts'
import { canonical, type Json, listOf } from '../../wire/values.ts'
import { refuses } from '../outcomes.ts'

export const checks: readonly Check[] = [
  effect(
    ['get-navigation-views', 'add-navigation-view', 'update-navigation-view', 'remove-navigation-view'],
    'navigation views are added, changed and removed, and only their owner is told',
    async (t, shows, { user, other }) => {
      const queue = await listen(user, ['navigation_view'])
      const others = await listen(other, ['navigation_view', 'message'])
      const fragment = newFragment(t)
      const isThere = async (view: object | undefined) => {
        const listed = await user.must('get-navigation-views')
        const registered = await user.must('register-queue', { event_types: ['navigation_views'] })
        for (const exchange of [listed, registered]) {
          const found: Json = listOf(exchange.body.navigation_views).find((one) => one.fragment === fragment)
          const isSame = view === undefined ? found === undefined : canonical(found) === canonical(view)
          shows(exchange, isSame, view === undefined ? `no view ${fragment}` : JSON.stringify(view))
        }
      }
      const view = { fragment, is_pinned: true, name: 'Conformance' }
      await user.must('add-navigation-view', view)
      await eventOf(shows, queue, { type: 'navigation_view', op: 'add', navigation_view: view })
      await isThere(view)
      refuses(shows, await user.call('add-navigation-view', view), 'it is there already')
      refuses(shows, await user.call('add-navigation-view', { ...view, fragment: ' ' }), '`fragment` is blank')
      await user.must('update-navigation-view', { fragment, is_pinned: false })
      await eventOf(shows, queue, { type: 'navigation_view', op: 'update', fragment, data: { is_pinned: false } })
      await isThere({ ...view, is_pinned: false })
      await user.must('update-navigation-view', { fragment, name: 'Renamed' })
      await eventOf(shows, queue, { type: 'navigation_view', op: 'update', fragment, data: { name: 'Renamed' } })
      await isThere({ fragment, is_pinned: false, name: 'Renamed' })
      refuses(shows, await other.call('remove-navigation-view', { fragment }), "it is somebody else's")
      await user.must('remove-navigation-view', { fragment })
      await eventOf(shows, queue, { type: 'navigation_view', op: 'remove', fragment })
      await isThere(undefined)
      refuses(shows, await user.call('remove-navigation-view', { fragment }), 'there is none')
      await hearsNothing(shows, others, user, other)
    },
  ),
]
