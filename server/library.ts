/** The module `parley-server`, for programs that embed a server. */
import './needed-node.ts'

// biome-ignore-start lint/performance/noBarrelFile: what a package offers stands in one place
export { type Config, embeddedConfig } from './config.ts'
export { createParley, type Parley, type Running } from './create-parley.ts'
export { ConfigError } from './settings.ts'
// biome-ignore-end lint/performance/noBarrelFile: as above
