// Defects in the rules of risk, and in payments that wait for them.

/** @type {readonly import('./sabotage-variants.mjs').Variant[]} */
export const riskVariants = [
  {
    name: 'S26',
    defect: 'payments of one card are counted without waiting for each other',
    file: 'apps/risk/src/assessment/assessment-statements.ts',
    edits: [
      {
        from: "    execute('lock_payers', arrayText(locks)),",
        to: '    ...[locks].slice(1).map(String),',
      },
    ],
    project: 'apps/risk',
    tests: 'assessor.int',
  },
  {
    name: 'S26b',
    defect: 'an assessment that is asked about again is counted again',
    file: 'apps/risk/src/assessment/assessor.ts',
    within: 'async #inTransaction(',
    edits: [{ from: 'if (answers.has(query.assessmentId)) continue;', to: '' }],
    project: 'apps/risk',
    tests: 'assessor.int',
  },
  {
    name: 'S26d',
    defect: 'a window by card is passed by an IBAN that is sent as a number',
    file: 'libs/parameters/src/one-account.ts',
    edits: [{ from: '  if (ibanFormat.accepts(number)) return oneIban(number);', to: '' }],
    project: 'libs/parameters',
    tests: 'one-account',
  },
  {
    name: 'S26e',
    defect: "a page names another device than the merchant's",
    file: 'libs/parameters/src/checkout-form.ts',
    edits: [{ from: '    if (isOtherDevice(name, ofMerchant)) return;', to: '' }],
    project: 'libs/parameters',
    tests: 'checkout-form.spec',
  },
  {
    name: 'S26f',
    defect: 'a challenge that is cancelled counts as a decline of the acquirer',
    file: 'libs/domain/risk/src/payment-outcome.ts',
    edits: [{ from: ' || seen.isNotAuthenticated;', to: ';' }],
    project: 'libs/domain/risk',
    tests: 'payment-outcome',
  },
  {
    name: 'S26c',
    defect: 'what is under review is captured',
    file: 'libs/domain/payments/src/reference-rules.ts',
    edits: [{ from: 'TAKING.includes(operation) && isUnderReview(first)', to: 'false' }],
    project: 'libs/domain/payments',
    tests: 'before-authorization',
  },
  {
    name: 'S27',
    defect: 'an authentication that ended is recorded again, and the acquirer is asked again',
    file: 'libs/domain/payments/src/before-authorization.ts',
    edits: [{ from: 'awaited?.authenticationId !== ended.authenticationId', to: 'false' }],
    project: 'libs/domain/payments',
    tests: 'before-authorization',
  },
  {
    name: 'S28',
    defect: 'an approval that the rules reject is declined, and never given back',
    file: 'libs/domain/payments/src/approval.ts',
    edits: [
      {
        from: "{ type: 'LateApprovalReceived', data: { transactionId, connectorTxId }, metadata },",
        to: '',
      },
    ],
    project: 'libs/domain/payments',
    tests: 'approval.spec',
  },
  {
    name: 'S28b',
    defect: 'what became of a payment is counted each time it is heard',
    file: 'apps/risk/src/assessment/outcomes.ts',
    edits: [
      {
        from: "sum((outcome = 'approved')::int - (old_outcome = 'approved')::int)::int AS approved",
        to: "sum((outcome = 'approved')::int)::int AS approved",
      },
    ],
    project: 'apps/risk',
    tests: 'outcomes.int',
  },
  {
    name: 'S28c',
    defect: 'a payment whose scorer is away goes on, whatever its node says',
    file: 'libs/domain/risk/src/scorer.ts',
    edits: [{ from: 'decision: whenAway', to: "decision: 'accept'" }],
    project: 'libs/domain/risk',
    tests: 'scorer.spec',
  },
  {
    name: 'S29',
    defect: "a result of another transaction of the issuer's authenticates the shopper",
    file: 'libs/domain/three-d-secure/src/authentication/authentication-decider.ts',
    within: 'function isOf(',
    edits: [{ from: 'isSameId(ids.acsTransactionId, known?.acsTransactionId)', to: 'true' }],
    project: 'libs/domain/three-d-secure',
    tests: 'authentication/',
  },
  {
    name: 'S29b',
    defect: 'an issuer is asked again and again while its answer is on its way',
    file: 'libs/domain/three-d-secure/src/authentication/authentication-decider.ts',
    within: 'function requestSent(',
    edits: [{ from: "state.phase === 'requested' && nowMs >= state.dueAtMs", to: 'true' }],
    project: 'libs/domain/three-d-secure',
    tests: 'authentication/',
  },
  {
    name: 'S29c',
    defect: 'a payment whose cryptogram is lost is asked of the acquirer without it',
    file: 'apps/payments/src/payment.workflow.ts',
    edits: [
      { from: "cryptogram === undefined ? 'cardGone'", to: 'cryptogram === undefined ? revealed' },
    ],
    project: 'apps/payments',
    tests: 'authentications.int',
  },
];
