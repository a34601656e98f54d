import type { Deployment } from '../deployment/deployment.ts'
import type { Scenes } from '../deployment/scene.ts'
import { readRequirements } from '../requirements/requirements.ts'
import { CheckContext } from './check-context.ts'

/** A context without a check, for requests of the suite itself. @param name for messages about it */
export function bareContext(
  deployment: Deployment,
  name: string,
  scenes: Scenes = { current: undefined },
): CheckContext {
  const random = { seed: 0, path: undefined, numRuns: 1, shrinkMs: 0 }
  return new CheckContext({ id: name, requirements: [] }, deployment, readRequirements(), random, scenes)
}
