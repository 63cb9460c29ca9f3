// One defect per line of thought: a rule is removed, and the tests named must turn red (D-61).

/**
 * @typedef {object} Variant
 * @property {string} name the number under which the defect is known
 * @property {string} defect what a careless change would do
 * @property {string} file where it is planted
 * @property {string} from the text that stands there once
 * @property {string} to what stands there instead
 * @property {string} project whose tests must notice
 * @property {string} tests a pattern of its spec files
 */

/** @type {readonly Variant[]} */
export const variants = [
  {
    name: 'S1',
    defect: 'an approval is answered while its event is still being written',
    file: 'apps/payments/src/payment.workflow.ts',
    from: "    await inSpan('record', {}, () =>\n      streams.inTurn(stream, () =>\n        record.record(stream, {\n          type: 'RecordOutcome',\n          transactionId,\n          nowMs: clock.now(),\n          outcome,\n        }),\n      ),\n    );\n    this.parts.metrics.passed('record', recordMs);\n    await forgotten;\n",
    to: "    const recording = inSpan('record', {}, () =>\n      streams.inTurn(stream, () =>\n        record.record(stream, {\n          type: 'RecordOutcome',\n          transactionId,\n          nowMs: clock.now(),\n          outcome,\n        }),\n      ),\n    );\n    this.parts.metrics.passed('record', recordMs);\n    await forgotten;\n    if (outcome.kind === 'approved') {\n      const requested = outcomeOf(transactionIn(stream, transactionId));\n      const approved = { status: 'approved', resultCode: '000.100.110', connectorTxId: outcome.connectorTxId };\n      return { kind: 'transaction', outcome: { ...requested, ...approved } };\n    }\n    await recording;\n",
    project: 'apps/payments',
    tests: 'commits.int',
  },
  {
    name: 'S1b',
    defect: 'a new payment is sent while its request event is still being written',
    file: 'apps/payments/src/payment-record.ts',
    from: '    const result = await this.store.append({\n      ...claims,\n      streamId: stream.id,\n      expectedVersion: stream.version,\n      events: events.map((event) => ({ id: newMessageId(nowMs), ...encodeEvent(event) })),\n      dueInMs: this.dueInMs(state),\n    });\n',
    to: "    const appending = this.store.append({\n      ...claims,\n      streamId: stream.id,\n      expectedVersion: stream.version,\n      events: events.map((event) => ({ id: newMessageId(nowMs), ...encodeEvent(event) })),\n      dueInMs: this.dueInMs(state),\n    });\n    appending.catch(() => undefined);\n    const isNew = stream.version === 0 && claims.idempotency === undefined;\n    const result = isNew ? { kind: 'appended', version: events.length } : await appending;\n",
    project: 'apps/payments',
    tests: 'commits.int',
  },
  {
    name: 'S2',
    defect: 'a catch-up reader without watermark',
    file: 'libs/event-store/src/reader.ts',
    from: 'AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())',
    to: '',
    project: 'libs/event-store',
    tests: 'reading',
  },
  {
    name: 'S4',
    defect: 'a refund checked on a state read earlier, written behind whatever stands there now',
    file: 'apps/payments/src/payment-record.ts',
    from: '      expectedVersion: stream.version,\n',
    to: '      expectedVersion: (await this.store.read(stream.id)).at(-1)?.version ?? 0,\n',
    project: 'apps/payments',
    tests: 'commits.int',
  },
  {
    name: 'S5',
    defect: 'a POST is repeated when its answer is lost',
    file: 'libs/connectors/src/simulator/simulator-connector.ts',
    from: "      case 'lost':\n        return { kind: 'unknown', reason: LOST_REASONS[result.reason] };\n    }\n  }\n\n  async inquire",
    to: "      case 'lost':\n        await this.#http.send({ method: 'POST', path: '/transactions', body: transactionMessage(request, card), ...options });\n        return { kind: 'unknown', reason: LOST_REASONS[result.reason] };\n    }\n  }\n\n  async inquire",
    project: 'libs/connectors',
    tests: 'simulator-connector',
  },
  {
    name: 'S6',
    defect: 'a timeout is a decline',
    file: 'libs/connectors/src/simulator/simulator-connector.ts',
    from: "return { kind: 'unknown', reason: LOST_REASONS[result.reason] };",
    to: "return { kind: 'declined', resultCode: '800.100.152' };",
    project: 'libs/connectors',
    tests: 'simulator-connector',
  },
  {
    name: 'S7',
    defect: 'recovery asks under a new reference',
    file: 'libs/domain/payments/src/recovery.ts',
    from: 'const inquire = inquiry(transaction, acquirerReference, capabilities, schedule);',
    to: "const inquire = inquiry(transaction, acquirerReference + '-2', capabilities, schedule);",
    project: 'libs/domain/payments',
    tests: 'recovery',
  },
  {
    name: 'S7b',
    defect: 'a call is sent under another reference than the one that was recorded',
    file: 'apps/payments/src/payment.workflow.ts',
    from: 'acquirerReference: request.acquirerReference,',
    to: "acquirerReference: request.acquirerReference + '-1',",
    project: 'apps/payments',
    tests: 'payments.int',
  },
  {
    name: 'S7c',
    defect: 'recovery reverses what nobody has asked about',
    file: 'apps/payments/src/recovery-calls.ts',
    from: '  if (step.inquireFirst) {\n',
    to: '  if (!step.inquireFirst) {\n',
    project: 'apps/payments',
    tests: 'recovery.int',
  },
  {
    name: 'S8',
    defect: 'an unknown amount does not count as used',
    file: 'libs/domain/payments/src/events.ts',
    from: "return status === 'requested' || status === 'pending' || status === 'unknown';",
    to: "return status === 'requested' || status === 'pending';",
    project: 'libs/domain/payments',
    tests: 'payment',
  },
  {
    name: 'S12',
    defect: 'money in floating point',
    file: 'libs/money/src/amount.ts',
    from: "BigInt((match[1] ?? '') + (match[2] ?? '00'))",
    to: 'BigInt(Math.trunc(Number.parseFloat(text) * 100))',
    project: 'libs/money',
    tests: 'amount',
  },
  {
    name: 'S13',
    defect: 'two decimals for every currency',
    file: 'libs/money/src/currency.ts',
    from: '  return exponent;\n',
    to: '  return 2;\n',
    project: 'libs/money',
    tests: 'currency|amount',
  },
  {
    name: 'S14',
    defect: 'a read without tenant filter',
    file: 'apps/payments/src/payment-queries.ts',
    from: 'if (transaction?.metadata.entityId !== entityId) return {};',
    to: 'if (transaction === undefined) return {};',
    project: 'apps/payments',
    tests: 'payments.int',
  },
  {
    name: 'S15',
    defect: 'a card number in a logged error',
    file: 'libs/service/src/logger.ts',
    from: 'return places.length === 0 ? text : replacedIn(text, places, () => MASK);',
    to: 'return text;',
    project: 'libs/service',
    tests: 'logger',
  },
];
