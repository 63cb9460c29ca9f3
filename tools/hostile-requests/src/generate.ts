import type { SeededRandom } from '@sluice/testing';
import { brokenAmount, fractionOfYen } from './hostile-amounts.js';
import {
  access,
  contentType,
  framing,
  head,
  header,
  idempotencyKey,
  legacyAccess,
  method,
  path,
  query,
  requestLine,
  valid,
} from './hostile-http.js';
import {
  brokenEncoding,
  brokenIndex,
  duplicateParameter,
  injection,
  prototypeName,
  unknownParameter,
  type MakeHostile,
} from './hostile-parameters.js';
import {
  bodySize,
  emptyPairs,
  nameSize,
  nesting,
  parameterCount,
  valueSize,
} from './hostile-sizes.js';
import type { HostileRequest, RequestContext } from './request-text.js';

/** Of a thousand requests, so many are of this class; the large ones are few because they cost. */
const SHARES: readonly (readonly [perThousand: number, make: MakeHostile])[] = [
  [60, valid],
  [80, unknownParameter],
  [80, duplicateParameter],
  [110, brokenEncoding],
  [80, prototypeName],
  [70, brokenIndex],
  [110, injection],
  [100, brokenAmount],
  [5, fractionOfYen],
  [15, nameSize],
  [10, valueSize],
  [15, nesting],
  [1, parameterCount],
  [1, bodySize],
  [10, emptyPairs],
  [45, contentType],
  [30, method],
  [10, head],
  [50, path],
  [40, query],
  [25, header],
  [15, framing],
  [8, requestLine],
  [10, legacyAccess],
  [20, access],
  [20, idempotencyKey],
];

/** Endless requests, the same for the same seed and context. */
export function* hostileRequests(
  context: RequestContext,
  random: SeededRandom,
): Generator<HostileRequest, never> {
  const classes = SHARES.flatMap(([share, make]) => new Array<MakeHostile>(share).fill(make));
  for (;;) yield random.pick(classes)(context, random);
}
