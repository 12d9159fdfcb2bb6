import { InboxView } from '../views/inbox/inbox-view.js'
import { OverviewView } from '../views/overview/overview-view.js'
import { FirstView } from '../views/welcome/first-view.js'
import { lazyView, type View } from './lazy.js'

export interface NamedView {
  /** First part of its address. */
  readonly path: string
  readonly title: string
  readonly view: View
}

/** Every view in the order of the navigation. */
export const views: readonly NamedView[] = [
  { path: 'inbox', title: 'Inbox', view: InboxView },
  { path: 'overview', title: 'Overview', view: OverviewView },
  {
    path: 'pages',
    title: 'Pages',
    view: lazyView(() => import('../views/pages/pages-view.js')),
  },
  {
    path: 'budget',
    title: 'Budget',
    view: lazyView(() => import('../views/budget/budget-view.js')),
  },
  { path: 'lab', title: 'Lab', view: lazyView(() => import('../views/lab/lab-view.js')) },
  {
    path: 'papers',
    title: 'Papers',
    view: lazyView(() => import('../views/papers/papers-view.js')),
  },
  { path: 'hosts', title: 'Hosts', view: lazyView(() => import('../views/hosts/hosts-view.js')) },
  {
    path: 'notifications',
    title: 'Notifications',
    view: lazyView(() => import('../views/notifications/notifications-view.js')),
  },
  {
    path: 'settings',
    title: 'Settings',
    view: lazyView(() => import('../views/settings/settings-view.js')),
  },
]

const pageView = lazyView(() => import('../views/page/page-view.js'))

const firstView: NamedView = { path: '', title: 'Revisit', view: FirstView }

/** The view of an address; `pages/12` is one page, and none is the first view. Undefined where there is none. */
export function viewAt(path: readonly string[]): NamedView | undefined {
  const [first = '', second] = path
  if (first === '') return firstView
  if (first === 'pages' && second !== undefined)
    return { path: 'pages', title: 'Page', view: pageView }
  return views.find((each) => each.path === first)
}
