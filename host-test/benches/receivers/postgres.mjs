// node postgres.mjs URL
// Stores each delivery in PostgreSQL, with fastify and pg.
import Fastify from 'fastify'
import pg from 'pg'
import { isSigned } from './signature.mjs'

const pool = new pg.Pool({ connectionString: process.argv[2], max: 16 })
const insert = {
  name: 'insert',
  text: 'INSERT INTO events (key, body, received_at_ms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
}

const server = Fastify()
server.removeAllContentTypeParsers()
server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
server.post('/', async (request, reply) => {
  const { headers, body } = request
  if (!isSigned(headers, body)) return reply.code(401).send()
  await pool.query({ ...insert, values: [headers['x-idempotency-key'], body.toString(), Date.now()] })
  return { stored: true }
})
console.log(JSON.stringify({ url: await server.listen({ port: 0, host: '127.0.0.1' }) + '/' }))
