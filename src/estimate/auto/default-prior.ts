import { type GroupLaw, openLaw } from './group-law.js'
export const defaultLaw: GroupLaw = openLaw
