import { perform } from '../../../server/admin.ts'
import type { WorstCalls } from './scene.ts'

export const worstCalls: WorstCalls = {
  'deactivate-realm': [
    {
      call: async (scene) => {
        const answer = await scene.as('owner').post('/realm/deactivate')
        // Otherwise no other call could follow.
        const environment = { PARLEY_DATA: scene.organization.dataFolder }
        await perform(['reactivate-organization'], environment, () => undefined)
        return answer
      },
    },
  ],
}
