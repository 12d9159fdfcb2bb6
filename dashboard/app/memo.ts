import { Component, type ComponentType, h, type VNode } from 'preact'

/** A component that is rendered again only when one of its properties is another. */
export function memo<P extends object>(Inner: (props: P) => VNode): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before = this.props as Record<string, unknown>
      const after = next as Record<string, unknown>
      return Object.keys(after).some((name) => before[name] !== after[name])
    }

    override render() {
      return h(Inner as ComponentType<P>, this.props as P)
    }
  }
}
