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
    name: 'S2',
    defect: 'a catch-up reader without watermark',
    file: 'libs/event-store/src/reader.ts',
    from: 'AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())',
    to: '',
    project: 'libs/event-store',
    tests: 'reading',
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
    from: 'return text.replace(DIGIT_RUN, (run) => (passesLuhn(run) ? MASK : run));',
    to: 'return text;',
    project: 'libs/service',
    tests: 'logger',
  },
];
