import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';

const sweepMs = 50;

/** Long enough for whoever asks without a pause to hear of it with the next answer. */
const longestFarewellMs = 1_000;

const unused = new WeakMap<Server, Set<Socket>>();

/** Remembers connections that were opened ahead and never asked anything: to Node they are not idle. */
export function noteConnections(app: FastifyInstance): void {
  const waiting = new Set<Socket>();
  unused.set(app.server, waiting);
  const opened = app.server instanceof TlsServer ? 'secureConnection' : 'connection';
  app.server.on(opened, (socket: Socket) => {
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
  });
  app.server.on('request', (request: IncomingMessage) => waiting.delete(request.socket));
}

/** Answers carry the word that the connection ends: whoever is in the middle of asking goes elsewhere by itself. */
async function untilCallersLeft(app: FastifyInstance): Promise<void> {
  const until = performance.now() + longestFarewellMs;
  while (performance.now() < until) {
    const open = await new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
    if (open <= (unused.get(app.server)?.size ?? 0)) return;
    await new Promise((resolve) => setTimeout(resolve, sweepMs));
  }
}

/** What is under way gets this long: a download of hours would keep the process, and the new one waiting for its place. */
const longestWorkMs = 8_000;

/**
 * What is under way is finished, and cut off where it takes too long; connections that ask nothing, or nothing more,
 * would hold the process for a minute.
 */
export async function closeKindly(app: FastifyInstance, patienceMs = longestWorkMs): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), patienceMs);
  await untilCallersLeft(app);
  const sweep = setInterval(() => {
    app.server.closeIdleConnections();
    for (const socket of unused.get(app.server) ?? []) socket.destroy();
  }, sweepMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
    clearInterval(sweep);
  }
}
