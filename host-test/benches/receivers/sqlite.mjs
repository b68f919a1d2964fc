// node sqlite.mjs FILE [batched]
// Stores each delivery in SQLite and answers after the commit. `batched` commits all deliveries
// that arrived in one turn of the event loop together.
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { isSigned } from './signature.mjs'

const [, , file, mode] = process.argv
const database = new DatabaseSync(file)
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE events (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, body TEXT NOT NULL, received_at_ms INTEGER NOT NULL)`)
const insert = database.prepare(
  'INSERT INTO events (key, body, received_at_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')

const store = ({ key, body }) => insert.run(key, body, Date.now())
const answer = ({ response }) => {
  response.setHeader('content-type', 'application/json')
  response.end('{"stored":true}')
}

let waiting = []
function commitAll() {
  const batch = waiting
  waiting = []
  database.exec('BEGIN IMMEDIATE')
  batch.forEach(store)
  database.exec('COMMIT')
  batch.forEach(answer)
}

function receive(delivery) {
  if (mode !== 'batched') {
    store(delivery)
    answer(delivery)
  } else if (waiting.push(delivery) === 1) {
    setImmediate(commitAll)
  }
}

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    if (isSigned(request.headers, body)) {
      receive({ key: request.headers['x-idempotency-key'], body: body.toString(), response })
    } else {
      response.writeHead(401).end()
    }
  })
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/` })))
