import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { nestedPdf } from '../../scripts/fuzz/hostile-answers.mjs'

/**
 * The web of the hostile bench, in a process of its own: which kind of host
 * answers is told by the address of loopback that was asked. Beside it a name
 * server that never answers.
 */

const words = (count, varying = 0) =>
  Array.from({ length: count }, (_, i) =>
    i < varying ? `v${Math.random().toString(36).slice(2, 9)}` : `word${i.toString(26)}`,
  ).join(' ')

const marks = Buffer.from(`<p>a${'\u0301'.repeat(2_000_000)}`)
const pdf = nestedPdf(20)
const deep = Buffer.from(`<main>${'<div>'.repeat(700)}x`)
const huge = Buffer.from(`<p>${words(1_000_000)}`)

/** By the third number of the address. */
const kinds = {
  3: (response) => html(response, Buffer.from(`<p>good, at ${Math.floor(Date.now() / 1000)}`)),
  4: drip,
  5: (response) => html(response, huge),
  6: (response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' })
    response.end(pdf)
  },
  7: (response) => html(response, marks),
  8: (response) => html(response, Buffer.from(`<p>${words(200_000, 1400)}`)),
  9: (response) => html(response, deep),
  10: () => {},
}

const server = createServer((request, response) => {
  if (request.url === '/robots.txt') return response.writeHead(404).end()
  const kind = request.socket.localAddress.replace('::ffff:', '').split('.')[2]
  kinds[kind](response)
})
server.listen(0, '0.0.0.0', () => {
  const silent = createSocket('udp4')
  silent.bind(0, '127.0.0.1', () =>
    process.send({ port: server.address().port, names: silent.address().port }),
  )
})

function html(response, body) {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.length }).end(body)
}

/** A byte a second. */
function drip(response) {
  response.writeHead(200, { 'content-type': 'text/html' })
  const timer = setInterval(() => response.write('x'), 1000)
  response.on('close', () => clearInterval(timer))
}
