import { type DeliveryState, InputError } from '../model/index.js'

/** In the order of their numbers in the file. */
export const deliveryStates: readonly DeliveryState[] = ['pending', 'delivered', 'given-up']

export function channelExists(name: string): InputError {
  return new InputError(
    'channel-exists',
    `there is a channel named ${JSON.stringify(name)} already; choose another name`,
  )
}
