import { policyKinds } from '../../planner/registry.js'
import { kindsHelp } from './kind-list.js'

/** The policies with a line each, for commands that take one. */
export const policiesHelp = `${kindsHelp('Policies, by name (--policy):', policyKinds)}

Parameters follow a colon: --policy fixed:gap=1d. revisit policies lists them, with their defaults and papers.`
