import { expect, it } from 'vitest'
import { GuardedPost } from '../../src/notify/send/guarded-post.js'
import { refusalWords } from '../../src/notify/send/refusal-words.js'
import { localServer } from '../fixtures/local-server.js'

const sent = {
  url: 'https://hooks.example/services/T000/B000/lowercasesecret',
  headers: { 'content-type': 'application/json', authorization: 'Bearer abcdefghijkl' },
  body: '{"text":"The application changed","token":"s3cretOfAChannel"}',
}

/** As the services document them. */
it.each([
  ['Slack', 'channel_is_archived', 'channel_is_archived'],
  [
    'Telegram',
    '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}',
    'Bad Request: chat not found',
  ],
  ['Discord', '{"message": "Unknown Webhook", "code": 10015}', 'Unknown Webhook'],
  ['Matrix', '{"errcode":"M_UNKNOWN_TOKEN","error":"Invalid token"}', 'Invalid token'],
  [
    'Gotify',
    '{"error":"Unauthorized","errorCode":401,"errorDescription":"not signed in"}',
    'not signed in',
  ],
  [
    'Pushover',
    '{"token":"invalid","errors":["application token is invalid"],"status":0}',
    'application token is invalid',
  ],
  ['a page', '<!DOCTYPE html><title>404</title>', ''],
  ['nothing', '', ''],
  ['JSON without words', '{"code":7}', ''],
  ['JSON that is cut off', '{"message":"Unkn', ''],
  ['marks that turn text around', 'no \u202esuch', 'no \\u202esuch'],
  ['the address that was asked', 'no route /services/T000/B000/lowercasesecret.', ''],
  ['a part of it that is cut off', 'no hook lowercases...', ''],
  ['a header', 'bad token <abcdefghijkl>!', ''],
  ['a token in the body', 's3cretOfAChannel: no such token', ''],
  ['one that is said late', `${'why '.repeat(60)}s3cretOfAChannel`, ''],
])('%s', (_, answer, words) => {
  expect(refusalWords(answer, sent)).toBe(words)
})

it('a long reason is cut', () => {
  expect(refusalWords('why '.repeat(500), sent)).toHaveLength(160)
})

it('is said with the status, also where the answer never ends', async () => {
  const address = await localServer((_, response) => {
    response.writeHead(404)
    const go = setInterval(() => response.write('no such hook '), 1)
    response.on('close', () => clearInterval(go))
  })
  const post = new GuardedPost({ version: '1', allowedNetworks: ['127.0.0.0/8'] })
  const result = await post.send({ url: address, headers: {}, body: '{}' })
  await post.close()
  expect(result).toMatchObject({ sent: false, blame: 'receiver' })
  expect(result).toHaveProperty('error', expect.stringMatching(/^status 404: no such hook no /))
})
