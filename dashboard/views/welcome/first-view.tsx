import type { Route } from '../../app/route.js'
import { useService } from '../../app/service.js'
import { Failed, Loading } from '../../parts/states.js'
import { InboxView } from '../inbox/inbox-view.js'
import { OverviewView } from '../overview/overview-view.js'
import { Welcome } from './welcome.js'

/** What a person sees first: what changed; how to begin where no page is followed; the figures in the demo. */
export function FirstView({ route }: { route: Route }) {
  const { overview, error, reload } = useService()
  if (overview === undefined)
    return error === undefined ? (
      <Loading what="your pages" />
    ) : (
      <Failed error={error} retry={reload} />
    )
  if (overview.demo) return <OverviewView route={route} />
  return overview.health.pages === 0 ? <Welcome /> : <InboxView route={{ ...route, path: [] }} />
}
