import { type PageSort, pageSorts } from '../../../src/model/page.js'

/** What of the list a person wants to see; kept in the address. */
export interface PageSearch {
  readonly contains?: string | undefined
  readonly host?: string | undefined
  readonly group?: string | undefined
  readonly outcome?: string | undefined
  readonly due?: boolean
  readonly sort: PageSort
  readonly descending: boolean
}

export function searchOf(query: Readonly<Record<string, string>>): PageSearch {
  const { q, host, group, outcome, due, sort = 'added', down } = query
  return {
    contains: q,
    host,
    group,
    outcome,
    due: due === '1',
    sort: pageSorts.find((each) => each === sort) ?? 'added',
    descending: down === '1',
  }
}

/** The same as the API takes it. */
export function apiQuery(search: PageSearch): Record<string, string | boolean | undefined> {
  const { contains, host, group, outcome, due, sort, descending } = search
  return {
    contains,
    host,
    group,
    outcome,
    due: due === true ? true : undefined,
    sort,
    descending: descending ? true : undefined,
  }
}
