import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { bareStatements } from './bare-statements.ts';

// The least that could answer: a pool, the statement, JSON.stringify. No sign-in, no rights, no checks.
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  idleTimeoutMillis: 0,
  application_name: 'bare',
});
const server = createServer((request, response) => {
  const statement = bareStatements[request.url ?? ''];
  if (!statement) {
    response.writeHead(404).end();
    return;
  }
  pool.query(statement).then(
    ({ rows }) => response.setHeader('content-type', 'application/json').end(JSON.stringify(rows)),
    (error: Error) => response.writeHead(500).end(error.message),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`bare server is ready: http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
