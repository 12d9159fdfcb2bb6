import { ApiError } from '../api-error.js'

export function leaseLost(): ApiError {
  return new ApiError(
    409,
    'lease-lost',
    'this lease has run out and the page was given to another, or it was given back; drop the report',
  )
}

export function notForward(): ApiError {
  return new ApiError(
    409,
    'not-forward',
    'the page has a visit at this time or later; report a later time, or release the lease',
  )
}
