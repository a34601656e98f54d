import { renderContent } from '../actions/messages/render-content.ts'
import type { ReadOnlyDatabase } from '../db/database.ts'
import type { UserId } from '../domain/ids.ts'
import type { RenderedMessage } from '../domain/markdown/render.ts'
import type { Site } from '../domain/organization/server-settings.ts'
import type { AlertWords } from '../events/alert-words.ts'
import type { Actor } from '../permissions/actor.ts'
import type { Rendering } from '../rendering/rendering.ts'

/** Dependencies of jobs that send messages. */
export interface NoticeServices {
  readonly db: ReadOnlyDatabase
  readonly site: Site
  readonly alertWords: Pick<AlertWords, 'usersIn'>
  readonly rendering: Pick<Rendering, 'of'>
}

/** A text that is rendered when it is sent. */
export interface RenderedText {
  readonly rendered: RenderedMessage<UserId>
  readonly alertedUserIds: readonly UserId[]
}

/** A message of the notification bot. */
export interface Notice extends RenderedText {
  readonly content: string
}

export async function renderNotice(services: NoticeServices, reader: Actor, content: string): Promise<Notice> {
  return { content, ...(await render(services, reader, content)) }
}

export async function render(
  { db, site, alertWords, rendering }: NoticeServices,
  writer: Actor,
  content: string,
): Promise<RenderedText> {
  const context = { publicUrl: site.publicUrl, rendering: rendering.of(writer.id) }
  const rendered = await renderContent(db.read, writer, content, context)
  return { rendered, alertedUserIds: alertWords.usersIn(rendered.html) }
}
