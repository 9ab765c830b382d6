import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:https';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { type Env, EnvError } from '../env.ts';

/** How often a renewed certificate is looked for. */
const lookEveryMs = 60_000;
/** As the framework keeps connections it makes itself. */
const keepAliveMs = 72_000;

/** TLS 1.2 and 1.3 with forward secrecy and authenticated encryption; nothing a scanner objects to. */
const policy: SecureContextOptions = {
  minVersion: 'TLSv1.2',
  honorCipherOrder: true,
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
};

type Files = NonNullable<Env['tls']>;

const read = ({ certFile, keyFile }: Files): SecureContextOptions => ({
  ...policy,
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
});

/** Refuses files that make no certificate, before anything was opened or filled. */
export function requireCertificate(files: Files): void {
  try {
    createSecureContext(read(files));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EnvError(
      `Wrong setting. TLS_CERT_FILE and TLS_KEY_FILE: accepted: files in PEM with a certificate, its chain, and the key that fits (${reason})`,
    );
  }
}

/** A server that speaks TLS only. A renewed certificate counts within a minute; one that does not fit leaves the old. */
export function tlsServer(files: Files, log: FastifyBaseLogger, handler: RequestListener): Server {
  const server = createServer(read(files), handler);
  server.keepAliveTimeout = keepAliveMs;
  const renew = (): void => {
    try {
      server.setSecureContext(read(files));
    } catch (error) {
      log.error({ err: error }, 'the new certificate cannot be used: the one before still is');
    }
  };
  // Whichever of the two is written last makes the pair fit.
  for (const file of [files.certFile, files.keyFile]) {
    watchFile(file, { interval: lookEveryMs, persistent: false }, renew);
    server.on('close', () => unwatchFile(file, renew));
  }
  return server;
}
