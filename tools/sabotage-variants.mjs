// One defect per line of thought: a rule is removed, and the tests named must turn red (D-61).

import { riskVariants } from './sabotage-of-risk.mjs';
import { schedulingVariants } from './sabotage-of-scheduling.mjs';
import { webhookVariants } from './sabotage-of-webhooks.mjs';

/**
 * @typedef {{ from: string, to: string }} Edit what stands there, and what shall stand there instead
 *
 * @typedef {object} Variant
 * @property {string} name the number under which the defect is known
 * @property {string} defect what a careless change would do
 * @property {string} file where it is planted
 * @property {string} [within] the function it is planted in, by what its line begins with; else the file
 * @property {readonly Edit[]} edits texts that stand there once; a short expression outlives most changes
 * @property {string} project whose tests must notice
 * @property {string} tests a pattern of its spec files
 */

/** @type {readonly Variant[]} */
export const variants = [
  {
    name: 'S1',
    defect: 'an approval is answered while its event is still being written',
    file: 'apps/payments/src/payment.workflow.ts',
    within: 'async execute(',
    edits: [
      { from: "await inSpan('record'", to: "const recording = inSpan('record'" },
      {
        from: "this.parts.metrics.passed('record', recordMs);",
        to: `if (outcome.kind === 'approved') {
      const requested = outcomeOf(transactionIn(stream, transactionId));
      const approved = { status: 'approved', resultCode: '000.100.110', connectorTxId: outcome.connectorTxId };
      return { kind: 'transaction', outcome: { ...requested, ...approved } };
    }
    await recording;`,
      },
    ],
    project: 'apps/payments',
    tests: 'commits.int',
  },
  {
    name: 'S1b',
    defect: 'a new payment is sent while its request event is still being written',
    file: 'libs/aggregates/src/stream-writer.ts',
    within: 'async #append(',
    edits: [
      {
        from: 'await this.store.append(',
        to: `await ((member) => {
      const appending = this.store.append(member);
      appending.catch(() => undefined);
      const isNew = stream.version === 0 && claims.idempotency === undefined;
      return isNew ? { kind: 'appended', version: events.length } : appending;
    })(`,
      },
    ],
    project: 'apps/payments',
    tests: 'commits.int',
  },
  {
    name: 'S2',
    defect: 'a catch-up reader without watermark',
    file: 'libs/event-store/src/reader.ts',
    edits: [
      { from: 'AND e.database_transaction < pg_snapshot_xmin(pg_current_snapshot())', to: '' },
    ],
    project: 'libs/event-store',
    tests: 'reading',
  },
  {
    name: 'S4',
    defect: 'a refund checked on a state read earlier, written behind whatever stands there now',
    file: 'libs/aggregates/src/stream-writer.ts',
    edits: [
      {
        from: '      expectedVersion: stream.version,\n',
        to: '      expectedVersion: (await this.store.read(stream.id)).at(-1)?.version ?? 0,\n',
      },
    ],
    project: 'apps/payments',
    tests: 'commits.int',
  },
  {
    name: 'S5',
    defect: 'a POST is repeated when its answer is lost',
    file: 'libs/connectors/src/simulator/simulator-connector.ts',
    within: 'async submit(',
    edits: [
      {
        from: "case 'lost':",
        to: `case 'lost':
        await this.#submissions.send({ method: 'POST', path: '/transactions', body: transactionMessage(request, card), isOwnAnswer: isAbout(acquirerReference), ...options });`,
      },
    ],
    project: 'libs/connectors',
    tests: 'simulator-connector',
  },
  {
    name: 'S6',
    defect: 'a timeout is a decline',
    file: 'libs/connectors/src/simulator/simulator-connector.ts',
    edits: [
      {
        from: "return { kind: 'unknown', reason: LOST_REASONS[result.reason] };",
        to: "return { kind: 'declined', resultCode: '800.100.152' };",
      },
    ],
    project: 'libs/connectors',
    tests: 'simulator-connector',
  },
  {
    name: 'S6g',
    defect: 'another gateway approves another amount than was asked, and that counts',
    file: 'libs/connectors/src/platform/transaction-answer.ts',
    edits: [{ from: ' && parsed.amount.minor === minor', to: '' }],
    project: 'libs/connectors',
    tests: 'platform-connector',
  },
  {
    name: 'S7',
    defect: 'recovery asks under a new reference',
    file: 'libs/domain/payments/src/recovery.ts',
    edits: [
      {
        from: 'const inquire = inquiry(transaction, request, capabilities, schedule);',
        to: "const inquire = inquiry(transaction, { ...request, acquirerReference: acquirerReference + '-2' }, capabilities, schedule);",
      },
    ],
    project: 'libs/domain/payments',
    tests: 'recovery',
  },
  {
    name: 'S7b',
    defect: 'a call is sent under another reference than the one that was recorded',
    file: 'apps/payments/src/payment.workflow.ts',
    edits: [
      {
        from: 'acquirerReference: request.acquirerReference,',
        to: "acquirerReference: request.acquirerReference + '-1',",
      },
    ],
    project: 'apps/payments',
    tests: 'payments.int',
  },
  {
    name: 'S7d',
    defect: 'the send window is looked at only before the call waits for a connection',
    file: 'libs/service/src/http-client.ts',
    within: '#isTooLate(',
    edits: [
      {
        from: 'return beginByMs !== undefined && performance.now() > beginByMs;',
        to: 'return beginByMs === undefined && false;',
      },
    ],
    project: 'libs/service',
    tests: 'http-client',
  },
  {
    name: 'S7e',
    defect: '"not found" is believed while a call may still be under way',
    file: 'libs/domain/payments/src/recovery.ts',
    within: 'function definitiveFromMs(',
    edits: [
      {
        from: 'return deadlineMs + maxInFlightMs + clockMarginMs;',
        to: 'return deadlineMs + clockMarginMs;',
      },
    ],
    project: 'libs/domain/payments',
    tests: 'recovery',
  },
  {
    name: 'S7f',
    defect: 'an answer is taken for whatever was asked last on its connection',
    file: 'libs/connectors/src/simulator/transaction-answer.ts',
    within: 'function fieldsAbout(',
    edits: [
      {
        from: "return fields?.['reference'] === acquirerReference ? fields : undefined;",
        to: 'return acquirerReference === undefined ? undefined : fields;',
      },
    ],
    project: 'libs/connectors',
    tests: 'simulator-contract',
  },
  {
    name: 'S7c',
    defect: 'recovery reverses what nobody has asked about',
    file: 'apps/payments/src/recovery-calls.ts',
    edits: [{ from: '  if (step.inquireFirst) {\n', to: '  if (!step.inquireFirst) {\n' }],
    project: 'apps/payments',
    tests: 'recovery.int',
  },
  {
    name: 'S8',
    defect: 'an unknown amount does not count as used',
    file: 'libs/domain/payments/src/events.ts',
    edits: [
      {
        from: "return status === 'requested' || status === 'pending' || status === 'unknown';",
        to: "return status === 'requested' || status === 'pending';",
      },
    ],
    project: 'libs/domain/payments',
    tests: '/payment.spec',
  },
  {
    name: 'S12',
    defect: 'money in floating point',
    file: 'libs/money/src/amount.ts',
    edits: [
      {
        from: "BigInt((match[1] ?? '') + (match[2] ?? '00'))",
        to: 'BigInt(Math.trunc(Number.parseFloat(text) * 100))',
      },
    ],
    project: 'libs/money',
    tests: 'amount',
  },
  {
    name: 'S13',
    defect: 'two decimals for every currency',
    file: 'libs/money/src/currency.ts',
    edits: [{ from: '  return exponent;\n', to: '  return 2;\n' }],
    project: 'libs/money',
    tests: 'currency|amount',
  },
  {
    name: 'S14',
    defect: 'a read without tenant filter',
    file: 'apps/payments/src/payment-queries.ts',
    edits: [
      {
        from: 'if (found?.transaction.metadata.entityId !== entityId) return {};',
        to: 'if (found === undefined) return {};',
      },
    ],
    project: 'apps/payments',
    tests: 'payments.int',
  },
  {
    name: 'S15',
    defect: 'a card number in a logged error',
    file: 'libs/service/src/logger.ts',
    edits: [
      {
        from: 'return places.length === 0 ? text : replacedIn(text, places, () => MASK);',
        to: 'return text;',
      },
    ],
    project: 'libs/service',
    tests: 'logger',
  },
  {
    name: 'S16',
    defect: 'a registration that has ended can be paid with, changed and deleted again',
    file: 'libs/domain/registrations/src/registration-decider.ts',
    within: 'function refusalOf(',
    edits: [{ from: 'return { resultCode: codes.registrationClosed };', to: 'return undefined;' }],
    project: 'libs/domain/registrations',
    tests: '/registration.spec',
  },
  {
    name: 'S16b',
    defect: 'an extension shortens the life of what would have been kept longer',
    file: 'libs/domain/registrations/src/retention.ts',
    within: 'export function extendedUntil(',
    edits: [{ from: 'Math.max(keptUntilMs, endOfMonth', to: 'Math.max(0, endOfMonth' }],
    project: 'libs/domain/registrations',
    tests: 'retention',
  },
  {
    name: 'S17',
    defect: 'the service that writes files for banks comes to cards',
    file: 'apps/vault/src/order-accounts.ts',
    edits: [{ from: "return instrument?.kind === 'bankAccount';", to: 'return true;' }],
    project: 'apps/vault',
    tests: 'order-accounts.int',
  },
  {
    name: 'S17b',
    defect: 'the token of a wallet pays twice',
    file: 'apps/vault/src/used-tokens.ts',
    edits: [
      { from: 'if (rowCount === 1) return true;', to: 'if (rowCount !== null) return true;' },
    ],
    project: 'apps/vault',
    tests: 'token-opener.int',
  },
  {
    name: 'S18',
    defect: 'a token that Apple has not signed is opened',
    file: 'libs/wallets/src/apple-pay.ts',
    edits: [{ from: 'if (refusal !== undefined) return refused(refusal);', to: '' }],
    project: 'libs/wallets',
    tests: '/apple-pay.spec',
  },
  {
    name: 'S18b',
    defect: 'the card of a wallet goes to an acquirer that is not told of its proof',
    file: 'apps/payments/src/connectors.ts',
    edits: [{ from: "(takesWallets || !('wallet' in instrument))", to: '(takesWallets || true)' }],
    project: 'apps/payments',
    tests: 'no-connector.int',
  },
  {
    name: 'S19',
    defect: 'an agreement is charged once more than it says',
    file: 'libs/domain/payments/src/standing-instruction-terms.ts',
    edits: [{ from: 'length >= authorizationsMax', to: 'length > authorizationsMax' }],
    project: 'libs/domain/payments',
    tests: 'standing-instruction-terms',
  },
  {
    name: 'S20',
    defect: 'what the network forbids is tried again',
    file: 'libs/domain/routing/src/retry-allowed.ts',
    edits: [{ from: 'if (longest !== undefined) return longest;', to: '' }],
    project: 'libs/domain/routing',
    tests: 'retry-allowed',
  },
  {
    name: 'S21',
    defect: 'another route is tried while the first acquirer may still receive the request',
    file: 'libs/domain/routing/src/next-route.ts',
    edits: [{ from: "notFound: 'mayBeBooked'", to: "notFound: 'otherRoute'" }],
    project: 'libs/domain/routing',
    tests: 'next-route',
  },
  {
    name: 'S22',
    defect: 'a shopper is led to whatever site an address names',
    file: 'apps/edge/src/shopper-routes.ts',
    edits: [{ from: 'isTransactionId(id) ? seeOther', to: "id !== '' ? seeOther" }],
    project: 'apps/edge',
    tests: 'shopper-routes',
  },
  {
    name: 'S22b',
    defect: 'a shopper of live money is sent on without encryption',
    file: 'libs/connectors/src/platform/gateway-redirect.ts',
    edits: [{ from: " && mode !== 'LIVE'", to: '' }],
    project: 'libs/connectors',
    tests: 'gateway-redirect',
  },
  {
    name: 'S22c',
    defect: 'who cancels, goes back and pays keeps paying for nothing',
    file: 'libs/domain/payments/src/recovery.ts',
    within: 'export function inquiryOnReturn(',
    edits: [{ from: "status === 'approved' ||", to: "status !== 'pending' ||" }],
    project: 'libs/domain/payments',
    tests: 'redirects',
  },
  {
    name: 'S23',
    defect: 'a host approves a part, and that counts for the whole',
    file: 'libs/connectors/src/iso8583/transaction-answer.ts',
    edits: [{ from: 'amount === undefined || amount === request.fields.amount', to: 'true' }],
    project: 'libs/connectors',
    tests: 'iso8583/transaction-answer',
  },
  {
    name: 'S23b',
    defect: 'a code that nobody knows is a decline',
    file: 'libs/connectors/src/iso8583/transaction-answer.ts',
    within: 'export function submitOutcome(',
    edits: [
      {
        from: "case undefined:\n      return { kind: 'unknown', reason: 'unreadableAnswer' };",
        to: "case undefined:\n      return { kind: 'declined', resultCode: NOT_FOUND };",
      },
    ],
    project: 'libs/connectors',
    tests: 'iso8583/transaction-answer',
  },
  {
    name: 'S24',
    defect: 'a mandate for one collection is collected by twice',
    file: 'apps/sepa/src/mandates.ts',
    edits: [{ from: "earlier.some(({ sequence }) => sequence === 'OOFF')", to: 'false' }],
    project: 'apps/sepa',
    tests: 'mandates',
  },
  {
    name: 'S24b',
    defect: 'a bank returns another amount, and the whole payment is charged back',
    file: 'apps/sepa/src/bank-words.ts',
    edits: [{ from: '!isSame(amount, order.amount)', to: 'false' }],
    project: 'apps/sepa',
    tests: 'bank-words',
  },
  {
    name: 'S25',
    defect: 'a move brings back what a stream of the target has withdrawn',
    file: 'libs/event-store/src/cells/shard-marks.ts',
    within: 'async #write(',
    edits: [{ from: 'WHERE NOT ${isCarried(', to: 'WHERE true OR NOT ${isCarried(' }],
    project: 'libs/event-store',
    tests: 'cells/shard-marks',
  },
  {
    name: 'S25b',
    defect: 'later payments that move away are forgotten where their agreement is decided',
    file: 'libs/event-store/src/cells/shard-marks.ts',
    within: 'export function foreignMarksDeletion(',
    edits: [{ from: '${isHere(shardOfSubject(schema))}', to: 'false' }],
    project: 'libs/event-store',
    tests: 'cells/shard-marks',
  },
  ...riskVariants,
  ...schedulingVariants,
  ...webhookVariants,
];
