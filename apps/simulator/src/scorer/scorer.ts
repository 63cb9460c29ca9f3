import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Delays } from '../delays.js';
import { type Fault, parseFault } from '../fault.js';

/** Where it is asked. */
export const SCORER_PATH = '/scorer';

/** What it says where a test says nothing: less than any threshold that somebody sets. */
const USUAL_SCORE = 10;
const GARBAGE = '<!doctype html><html><body><h1>It works!</h1></body></html>';

/** What a test tells it, among the parameters of a question. */
const SCORE = 'simulator.score';
const DECISION = 'simulator.decision';
const FAULT = 'simulator.fault';

/** What it answers, or how it misbehaves. */
type Reaction =
  | { readonly kind: 'answer'; readonly answer: object; readonly delayMs: number }
  | { readonly kind: 'refuse'; readonly reason: string }
  | { readonly kind: 'drop' | 'http-500' | 'garbage' };

/**
 * A service that says how likely a payment is a fraud, as it is told: a question may have
 * `simulator.score`, `simulator.decision` and `simulator.fault` among its `parameters`.
 */
export function scorer(delays: Delays): FastifyPluginCallback {
  return (server, _options, done) => {
    server.post(SCORER_PATH, (request, reply) => react(request, reply, delays));
    done();
  };
}

async function react(
  { body }: FastifyRequest,
  reply: FastifyReply,
  delays: Delays,
): Promise<unknown> {
  const reaction = reactionTo(body);
  switch (reaction.kind) {
    case 'answer':
      if (reaction.delayMs > 0) await delays.wait(reaction.delayMs);
      return reply.send(reaction.answer);
    case 'refuse':
      return reply.code(400).send({ error: reaction.reason });
    case 'drop':
      reply.hijack();
      reply.raw.destroy();
      return reply;
    case 'http-500':
      return reply.code(500).type('text/plain').send('Internal Server Error');
    case 'garbage':
      return reply.type('text/html').send(GARBAGE);
  }
}

/** What it does with a question. */
export function reactionTo(body: unknown): Reaction {
  const { id, parameters = {} } = (body ?? {}) as {
    readonly id?: unknown;
    readonly parameters?: Readonly<Record<string, unknown>>;
  };
  if (typeof id !== 'string') return { kind: 'refuse', reason: 'A question has an id.' };
  const said = parameters[FAULT];
  const fault = typeof said === 'string' ? parseFault(said) : undefined;
  if (said !== undefined && fault === undefined) {
    return { kind: 'refuse', reason: `There is no fault ${JSON.stringify(said)}.` };
  }
  const answer = {
    score: Number(parameters[SCORE] ?? USUAL_SCORE),
    ...(parameters[DECISION] !== undefined && { decision: parameters[DECISION] }),
  };
  return fault === undefined ? { kind: 'answer', answer, delayMs: 0 } : misbehaviour(fault, answer);
}

/** A scorer books nothing, so some faults of an acquirer are the same of it. */
function misbehaviour(fault: Fault, answer: object): Reaction {
  switch (fault.kind) {
    case 'delay':
    case 'late':
      return { kind: 'answer', answer, delayMs: fault.delayMs };
    case 'drop-before':
    case 'drop-after':
      return { kind: 'drop' };
    case 'http-500':
    case 'garbage':
      return { kind: fault.kind };
    case 'twice':
      return { kind: 'refuse', reason: 'A scorer has no answer to give twice.' };
  }
}
