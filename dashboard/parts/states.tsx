import type { ComponentChildren } from 'preact'
import type { ApiError } from '../api/api-error.js'

export function Loading({ what }: { what: string }) {
  return (
    <p class="state" role="status">
      Loading {what} …
    </p>
  )
}

/** Nothing there, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state empty">
      <p class="strong">{title}</p>
      {children}
    </div>
  )
}

/** Where there is nothing to show because no page is followed: the way to the first one. */
export function NoPages() {
  return (
    <Empty title="No page is followed yet.">
      <p>
        <a href="#/pages?add=1">Add the first one</a>, <a href="#/">or see how to begin</a>.
      </p>
    </Empty>
  )
}

/** Why what a person asked for was not done; nothing where it was. */
export function Refused({ error, inline }: { error: string | undefined; inline?: boolean }) {
  if (error === undefined) return null
  return inline ? (
    <span role="alert" class="alert">
      {error}
    </span>
  ) : (
    <p role="alert" class="state failed">
      {error}
    </p>
  )
}

export function Failed({ error, retry }: { error: ApiError; retry?: () => void }) {
  return (
    <div class="state failed" role="alert">
      <p class="strong">That did not work.</p>
      <p>{error.message}</p>
      <p class="muted">
        {error.code}
        {error.status > 0 ? ` (${error.status})` : ''}
      </p>
      {retry === undefined ? null : (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}
