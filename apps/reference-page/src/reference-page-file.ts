import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

/** A text that never changes while we run, in both forms in which it may be sent. */
export interface ServedFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: Buffer;
  readonly compressed: Buffer;
  /** Of the text; each form has its own. */
  readonly hash: string;
}

/** Compresses a text once, for all who will ask. */
export async function servedFile(
  text: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<ServedFile> {
  const plain = Buffer.from(text);
  const hash = createHash('sha256').update(plain).digest('base64url');
  return { headers, plain, compressed: await compress(plain), hash };
}

/**
 * Sends a file, or says that the asker has it already. It may be kept, but not used unasked: after
 * an upgrade nobody reads an old reference.
 */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
): 200 | 304 {
  const isCompressed = /\bgzip\b/.test([request.headers['accept-encoding']].join());
  const tag = `"${file.hash}${isCompressed ? '-gzip' : ''}"`;
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''));
  const status = known.includes(tag) ? 304 : 200;
  void reply.code(status).headers({
    ...file.headers,
    ...{ etag: tag, vary: 'accept-encoding', 'cache-control': 'public, no-cache' },
    'x-content-type-options': 'nosniff',
    ...(isCompressed && status === 200 && { 'content-encoding': 'gzip' }),
  });
  const bytes = isCompressed ? file.compressed : file.plain;
  // HEAD says how long they are, whoever has them already; the listener sends none of them.
  void reply.send(status === 304 && request.method !== 'HEAD' ? undefined : bytes);
  return status;
}
