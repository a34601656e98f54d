import { addToWidget } from '../../actions/messages/add-submessage.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Handler } from '../handler.ts'

/** POST /submessage: changes of widgets such as polls. */
export const addSubmessage: Handler<'add-submessage'> = async ({ input, write }) => {
  const content = input.content.toWellFormed()
  const addition = {
    messageId: input.message_id as MessageId,
    msgType: input.msg_type,
    content,
    parsed: parsed(content),
  }
  await write((tx, actor) => addToWidget(tx, actor, addition))
  return {}
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw new BadRequestError('Invalid json for submessage')
  }
}
