import { changeAllPublicChannels, changeOwner, changeShortName } from '../../actions/bots/manage-bots.ts'
import { changeRole, renameUser } from '../../actions/users/change-user.ts'
import { UnauthorizedPrincipalError } from '../../domain/errors.ts'
import { hostOf } from '../../domain/organization/server-settings.ts'
import { hasRole } from '../../domain/users/roles.ts'
import { apiEmail, avatarUrl } from '../../domain/users/user.ts'
import { accessBot } from '../../permissions/access-bot.ts'
import type { Handler } from '../handler.ts'

/** PATCH /bots/{bot_id}. */
export const updateBot: Handler<'update-bot'> = async ({ input, write, secrets, site }) => {
  const { full_name: name, short_name: shortName, role, bot_owner_id: ownerId } = input
  return write(async (tx, actor) => {
    const bot = await accessBot(tx, actor, input.bot_id)
    const present = async () => (await tx.users.byId(bot.id)) ?? bot
    // The new owner is not asked, and what the bot holds counts as theirs (DIFF-BOT-OWNER).
    const isGivenAway = ownerId !== undefined && ownerId !== actor.id
    if ((role !== undefined || isGivenAway) && !hasRole(actor.role, 'administrator'))
      throw new UnauthorizedPrincipalError('administrator')
    if (name !== undefined) await renameUser(tx, bot, name)
    if (shortName !== undefined) await changeShortName(tx, bot, shortName, hostOf(site))
    if (input.default_all_public_streams !== undefined) {
      await changeAllPublicChannels(tx, bot, input.default_all_public_streams)
    }
    const owner = ownerId === undefined ? undefined : await changeOwner(tx, await present(), ownerId, secrets)
    // Changed after the owner, because the owner's role limits it.
    if (role !== undefined) await changeRole(tx, { actor, user: await present(), role }, secrets)
    const changed = await present()
    const [does] = await tx.bots.byIds([bot.id])
    return {
      full_name: changed.fullName,
      avatar_url: avatarUrl(changed),
      default_sending_stream: does?.default_sending_stream ?? null,
      default_events_register_stream: does?.default_events_register_stream ?? null,
      default_all_public_streams: does?.default_all_public_streams ?? false,
      ...(owner && { bot_owner: apiEmail(owner) }),
    }
  })
}
