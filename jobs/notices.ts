import { type RenderedText, type RenderingServices, textRenderer } from '../actions/messages/render-content.ts'
import type { Actor } from '../permissions/actor.ts'
import type { Rendering } from '../rendering/rendering.ts'

/** Dependencies of jobs that send messages. */
export interface NoticeServices extends RenderingServices {
  readonly rendering: Pick<Rendering, 'of'>
}

/** Renders a text that a job is about to send. */
export function render(services: NoticeServices, writer: Actor, content: string): Promise<RenderedText> {
  return textRenderer(services, writer, services.rendering.of(writer.id)).renderToSend(content)
}
