/**
 * The answer of every route that answers with JSON, by method and path under
 * `/api/`: what a client that is written in TypeScript, such as the dashboard,
 * takes its types from. A test holds it against the routes.
 */
import { BesideAnswer } from './collection/beside.js'
import { BudgetAnswer } from './collection/budget.js'
import { DemoAnswer } from './collection/demo.js'
import { StatusAnswer } from './collection/health.js'
import { HintsAnswer } from './collection/hints.js'
import { HostAnswer, HostsAnswer } from './collection/hosts.js'
import { OverviewAnswer } from './collection/overview.js'
import { MethodsAnswer, SettingsAnswer } from './collection/settings.js'
import { ChangeListAnswer, MarkedAnswer, UnseenAnswer } from './events/changes.js'
import { PreviewAnswer } from './events/channel-messages.js'
import { KindsAnswer } from './events/channel-schema.js'
import {
  ChannelAnswer,
  ChannelListAnswer,
  DeliveryListAnswer,
  NewChannelAnswer,
  TestAnswer,
} from './events/channels.js'
import { ExtendAnswer, LeasesAnswer, ReleaseAnswer, ReportAnswer } from './leases/leases.js'
import { AdviceAnswer, DiffAnswer, VersionsAnswer } from './pages/contents.js'
import { EstimateAnswer, EstimatesAnswer, WhyAnswer } from './pages/estimates.js'
import { ImportedPagesAnswer, ImportedVisitsAnswer } from './pages/import.js'
import { OffersAnswer } from './pages/offers.js'
import { AddPagesAnswer, PageAnswer, PageListAnswer } from './pages/page-schema.js'
import { TrialAnswer } from './pages/rule-trial.js'
import { RuleAnswer } from './pages/rules.js'
import { PagePreviewAnswer } from './pages/trial.js'
import { HistoryAnswer, PageVisitsAnswer, TimelinesAnswer, VisitLogAnswer } from './pages/visits.js'
import { SessionAnswer } from './safety/sessions.js'
import { type Answer, Done, RemovedAnswer } from './schema.js'

export const answers = {
  'GET pages': PageListAnswer,
  'POST pages': AddPagesAnswer,
  'POST pages/remove': RemovedAnswer,
  'GET pages/:id': PageAnswer,
  'PATCH pages/:id': PageAnswer,
  'DELETE pages/:id': RemovedAnswer,
  'GET pages/:id/visits': PageVisitsAnswer,
  'GET pages/:id/history': HistoryAnswer,
  'GET pages/:id/estimate': EstimateAnswer,
  'GET pages/:id/estimates': EstimatesAnswer,
  'GET pages/:id/why': WhyAnswer,
  'GET pages/:id/hints': HintsAnswer,
  'GET pages/:id/versions': VersionsAnswer,
  'GET pages/:id/diff': DiffAnswer,
  'GET pages/:id/advice': AdviceAnswer,
  'POST pages/:id/rule': RuleAnswer,
  'GET pages/:id/offers': OffersAnswer,
  'POST preview': PagePreviewAnswer,
  'POST pages/:id/trial': TrialAnswer,
  'GET visits': VisitLogAnswer,
  'GET timelines': TimelinesAnswer,
  'GET hosts': HostsAnswer,
  'GET hosts/:host': HostAnswer,
  'POST leases': LeasesAnswer,
  'POST leases/extend': ExtendAnswer,
  'POST leases/release': ReleaseAnswer,
  'POST reports': ReportAnswer,
  'POST import/visits': ImportedVisitsAnswer,
  'POST import/pages': ImportedPagesAnswer,
  'GET changes': ChangeListAnswer,
  'GET changes/unseen': UnseenAnswer,
  'POST changes/seen': MarkedAnswer,
  'GET channels': ChannelListAnswer,
  'POST channels': NewChannelAnswer,
  'GET channels/kinds': KindsAnswer,
  'POST channels/preview': PreviewAnswer,
  'GET channels/:id': ChannelAnswer,
  'PATCH channels/:id': ChannelAnswer,
  'DELETE channels/:id': RemovedAnswer,
  'POST channels/:id/test': TestAnswer,
  'GET deliveries': DeliveryListAnswer,
  'GET budget': BudgetAnswer,
  'PUT budget': BudgetAnswer,
  'GET settings': SettingsAnswer,
  'PUT settings': SettingsAnswer,
  'GET methods': MethodsAnswer,
  'GET status': StatusAnswer,
  'GET overview': OverviewAnswer,
  'GET demo': DemoAnswer,
  'POST beside': BesideAnswer,
  'PUT password': Done,
  'GET session': SessionAnswer,
  'POST session': Done,
  'DELETE session': Done,
} as const

export type Answers = { readonly [Route in keyof typeof answers]: Answer<(typeof answers)[Route]> }
