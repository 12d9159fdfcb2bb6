import { createContext, Script } from 'node:vm'
import { RuleFault } from './rule-fault.js'

/** The longest that a person's rules may run on one content, in milliseconds. */
const timeout = 250
const box = createContext(Object.create(null)) as { work?: (() => unknown) | null }
const script = new Script('work()')

/**
 * Runs a step of a page's own rules where it can be broken off, whatever it
 * calls: a selector, an expression or a path may be slow on a page nobody has
 * seen yet. The step must leave nothing behind that is half done.
 */
export function withinRuleTime<T>(what: string, step: () => T): T {
  box.work = step
  try {
    return script.runInContext(box, { timeout }) as T
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new RuleFault('rule-too-slow', `${what} of this page took too long`)
  } finally {
    box.work = null
  }
}
