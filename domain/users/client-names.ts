/**
 * Programs in which people see the messages that they send, in lower case: the website, desktop and mobile apps, a
 * terminal client.
 */
const INTERACTIVE = new Set([
  'website',
  'zulipelectron',
  'zulipdesktop',
  'zulipmobile',
  'zulipflutter',
  'zulipandroid',
  'zulipios',
  'android',
  'ios',
  'zulipterminal',
  'snipe',
])

/**
 * Whether people use the program of this name, so that the sender of a message has read it. Other names belong to bots,
 * scripts and integrations, which often send in the name of somebody who has not seen the message yet.
 */
export function isInteractive(clientName: string): boolean {
  const name = clientName.toLowerCase()
  return INTERACTIVE.has(name) || name.includes('desktop app')
}
