import { wholeList } from './whole-lists.ts'

export const part = wholeList('onboarding_steps')
