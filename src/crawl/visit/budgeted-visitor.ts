import type { FetchRequest, Lease, PoliteVisit, VisitLeave, Visitor } from '../../model/index.js'
import type { SharedBudget } from '../gate/shared-budget.js'

/** Visits within a budget of requests that other processes use too. */
export class BudgetedVisitor implements Visitor {
  readonly #visitor: Visitor
  readonly #budget: SharedBudget

  constructor(parts: { readonly visitor: Visitor; readonly budget: SharedBudget }) {
    this.#visitor = parts.visitor
    this.#budget = parts.budget
  }

  visit(request: FetchRequest, leave: VisitLeave, home?: string): Promise<PoliteVisit> {
    return this.#budget.during(() => this.#visitor.visit(request, leave, home))
  }

  leased(lease: Lease): void {
    this.#visitor.leased?.(lease)
  }

  ended(lease: Pick<Lease, 'host'>): void {
    this.#visitor.ended?.(lease)
  }

  hostNow(host: string) {
    return this.#visitor.hostNow?.(host)
  }
}
