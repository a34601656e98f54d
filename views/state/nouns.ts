// Everything that POST /register may return, one part a noun.
export { part as channels } from './channels.ts'
export { part as customProfileFields } from './custom-profile-fields.ts'
export { part as messages } from './messages.ts'
export { part as organization } from './organization.ts'
export { part as singleFields } from './single-fields.ts'
export { part as userGroups } from './user-groups.ts'
export { part as userTopics } from './user-topics.ts'
export { part as users } from './users.ts'
