import { renderDescription } from '../../domain/markdown/render.ts'
import { serverSettings } from '../../domain/organization/server-settings.ts'
import type { Handler } from '../handler.ts'

/** GET /server_settings: the data that a client shows before anybody logs in. */
export const getServerSettings: Handler<'get-server-settings'> = async ({ db, site }) =>
  serverSettings(db.read.organization, site, renderDescription)
