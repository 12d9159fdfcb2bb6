/** A content that a page's own rules cannot read: thrown inside the reader, never out of it. */
export class RuleFault extends Error {
  readonly fault: string

  constructor(fault: string, message: string) {
    super(message)
    this.fault = fault
  }
}
