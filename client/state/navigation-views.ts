import type { ClientPart } from './state.ts'

interface View {
  readonly fragment: string
}

export interface NavigationViewFields {
  navigation_views: readonly View[]
}

export const part: ClientPart<NavigationViewFields> = {
  fetched: ['navigation_views'],
  empty: { navigation_views: [] },
  apply: {
    'navigation_view add': (state, { navigation_view: view }: { navigation_view: View }) => {
      state.navigation_views = [...state.navigation_views, view]
    },
    'navigation_view update': (state, { fragment, data }: { fragment: string; data: object }) => {
      state.navigation_views = state.navigation_views.map((view) =>
        view.fragment === fragment ? { ...view, ...data } : view,
      )
    },
    'navigation_view remove': (state, { fragment }: { fragment: string }) => {
      state.navigation_views = state.navigation_views.filter((view) => view.fragment !== fragment)
    },
  },
  normalize: (state) => ({
    navigation_views: state.navigation_views.toSorted((a, b) => (a.fragment < b.fragment ? -1 : 1)),
  }),
}
