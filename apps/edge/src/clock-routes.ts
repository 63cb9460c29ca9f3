import { resultOf, timestampOf } from '@sluice/answers';
import { formOfParameters, type ParameterError } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { ClocksInHand, EntityTime } from '@sluice/service';
import type { FastifyPluginCallback } from 'fastify';
import type { AdmittedRequest } from './access-guard.js';
import { type Answer, Refused } from './answer.js';
import { checkKind } from './checked-form.js';
import { invalidParameters } from './refusals.js';
import type { RequestPipeline } from './request-pipeline.js';

/** Where a merchant finds the clock of his channel (page 0078). */
const CLOCK_PATH = '/sandbox/v1/clock';
const TO = 'to';
const FOLLOW = 'follow';
/** What an account's tests run into sooner than this: cards, certificates and zone data end. */
const AHEAD_MAX_MS = 20 * 366 * 86_400_000;
/** ISO 8601 with a zone: whose midnight is meant must not be guessed. */
const INSTANT =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})$/;

/**
 * The clock of a channel, in installations that have clocks in hand; elsewhere there is no such path.
 *
 * - `GET /sandbox/v1/clock`: how late it is for the channel.
 * - `POST /sandbox/v1/clock`, `to=<instant>`: moves it forward; to be sent again until `isThere` is true.
 *   `follow=true`: the machine's clock again.
 */
export function clockRoutes(
  clocks: ClocksInHand,
  pipeline: () => RequestPipeline,
): FastifyPluginCallback {
  return (server, _options, done) => {
    server.get(CLOCK_PATH, (request, reply) =>
      pipeline().serve(request, reply, (admitted) => {
        checkKind(admitted, 'read');
        return Promise.resolve(answerOf(admitted, clocks.timeOf(entityOf(admitted))));
      }),
    );
    server.post(CLOCK_PATH, (request, reply) =>
      pipeline().serve(request, reply, (admitted) => change(admitted, clocks)),
    );
    done();
  };
}

async function change(admitted: AdmittedRequest, clocks: ClocksInHand): Promise<Answer> {
  const { form } = admitted;
  const others = [...form.entries()].filter(([name]) => name !== TO && name !== FOLLOW);
  checkKind({ ...admitted, form: formOfParameters(Object.fromEntries(others)) }, 'read');
  const entityId = entityOf(admitted);
  const [to, follow] = [form.get(TO), form.get(FOLLOW)];
  if ((to === undefined) === (follow === undefined)) {
    throw refused({ name: TO, message: 'either an instant to move to, or follow=true' });
  }
  if (to === undefined) {
    if (follow !== 'true') throw refused({ name: FOLLOW, message: 'is true, or is not sent' });
    return answerOf(admitted, await clocks.follow(entityId));
  }
  const toMs = instantOf(to);
  if (toMs === undefined) {
    throw refused({ name: TO, message: 'is an instant with its zone, as 2031-05-04T13:30:00Z' });
  }
  const { nowMs, aheadMs } = clocks.timeOf(entityId);
  if (toMs - (nowMs - aheadMs) > AHEAD_MAX_MS) {
    throw refused({ name: TO, message: 'is within twenty years' });
  }
  const advanced = await clocks.advance(entityId, toMs);
  if (advanced === undefined) {
    const message = `is not before ${timestampOf(nowMs)}, which it is for this entity: clocks go forward`;
    throw refused({ name: TO, message });
  }
  return answerOf(admitted, advanced);
}

/** Undefined for what is none, 31 February among it, which would become a day in March. */
function instantOf(text: string): number | undefined {
  const midnight = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  if (!INSTANT.test(text) || Number.isNaN(midnight)) return undefined;
  if (!new Date(midnight).toISOString().startsWith(text.slice(0, 10))) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

function answerOf({ stamp }: AdmittedRequest, { nowMs, ...clock }: EntityTime): Answer {
  const result = resultOf(codes.requestSuccessful);
  const body = JSON.stringify({
    ...{ result, clock: { now: timestampOf(nowMs), ...clock } },
    ...stamp,
  });
  return { status: 200, resultCode: codes.requestSuccessful, ndc: stamp.ndc, body };
}

function entityOf({ access }: AdmittedRequest): string {
  return access.channel.id;
}

function refused(error: ParameterError): Refused {
  return new Refused(invalidParameters(error));
}
