import type { SeededFault } from '../testing.ts'
import { type Json, ofSuccess, succeed } from './changes-testing.ts'
import { ofEvent } from './events-testing.ts'
import { misanswered } from './misreadings-testing.ts'

const only = 'get-thumbnail'
const address = /^\/user_uploads\/thumbnail\//
const status = /^\/thumbnail\/status\//

const ofRendering = (change: (event: Json) => void) =>
  ofEvent('update_message', (event) => {
    if (event.rendering_only === true) change(event)
  })
const ofMessage = (change: (message: Json) => void) =>
  ofSuccess('GET', /^\/messages\/\d+$/, ({ message }) => change(message))
const ofHtml = (change: (html: string) => string): SeededFault['fault'] => {
  const [told, stored] = [
    ofRendering((event) => {
      event.rendered_content = change(event.rendered_content)
    }),
    ofMessage((message) => {
      message.content = change(message.content)
    }),
  ]
  return (answer, request) => {
    told(answer, request)
    stored(answer, request)
  }
}

export const faults: readonly SeededFault[] = [
  misanswered(
    only,
    'no formats of thumbnails',
    ofSuccess('POST', '/register', (state) => {
      state.server_thumbnail_formats = []
    }),
  ),
  misanswered(
    only,
    'thumbnails of texts',
    ofSuccess('GET', status, (body) => {
      body.has_thumbnail = true
    }),
  ),
  misanswered(
    only,
    'no thumbnails of images',
    ofSuccess('GET', status, (body) => {
      body.has_thumbnail = false
    }),
  ),
  misanswered(
    only,
    'images without previews',
    ofHtml((html) => html.replace(/\n<div class="message_inline_image">.*$/, '')),
  ),
  misanswered(
    only,
    'previews without dimensions',
    ofHtml((html) => html.replace(/ data-original-dimensions="\w+"/, '')),
  ),
  misanswered(
    only,
    'messages that keep their placeholder',
    ofMessage((message) => {
      message.content = message.content.replace(/<img [^>]*>/, '<img class="image-loading-placeholder" src="/x.png">')
    }),
  ),
  misanswered(
    only,
    'messages that are edited by their thumbnail',
    ofMessage((message) => {
      message.last_edit_timestamp = message.timestamp
    }),
  ),
  misanswered(only, 'thumbnails that are not there', (answer, { path }) => {
    if (address.test(path)) answer.status = 404
  }),
  misanswered(only, 'thumbnails for everybody', (answer, { path }) => {
    if (!address.test(path) || answer.status !== 404) return
    answer.status = 200
    answer.body = 'RIFF'
  }),
  misanswered(only, 'a status for everybody', (answer, { path }) => {
    if (status.test(path) && answer.status >= 400) succeed(answer, { has_thumbnail: false })
  }),
]
