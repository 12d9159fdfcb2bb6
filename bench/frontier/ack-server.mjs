import { fileURLToPath } from 'node:url'
import grpc from '@grpc/grpc-js'
import loader from '@grpc/proto-loader'

/** What no frontier can be faster than: each item is acknowledged as it comes, and nothing is kept. */
const proto = fileURLToPath(new URL('../../dist/frontier/urlfrontier.proto', import.meta.url))
const { urlfrontier } = grpc.loadPackageDefinition(
  loader.loadSync(proto, { keepCase: true, longs: Number, enums: Number, oneofs: true }),
)
const server = new grpc.Server()
server.addService(urlfrontier.URLFrontier.service, {
  PutURLs(call) {
    call.on('data', ({ ID }) => call.write({ ID, status: 0 }))
    call.on('end', () => call.end())
    call.on('error', () => {})
  },
})
server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error
  console.log(`127.0.0.1:${port}`)
})
process.on('SIGTERM', () => process.exit(0))
