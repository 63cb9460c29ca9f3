// Defects in how merchants hear of changes.

/** @type {readonly import('./sabotage-variants.mjs').Variant[]} */
export const webhookVariants = [
  {
    name: 'S30',
    defect: 'a notification does not wait for the one of its payment before it',
    file: 'libs/domain/webhooks/src/delivery-decider.ts',
    within: 'function begun(',
    edits: [
      {
        from: '!isOverdue(delivery, nowMs)',
        to: '!isOverdue(delivery, nowMs) && delivery.dueAtMs <= nowMs',
      },
    ],
    project: 'libs/domain/webhooks',
    tests: 'delivery',
  },
  {
    name: 'S30b',
    defect: 'an event that is heard again is told again',
    file: 'libs/domain/webhooks/src/delivery-decider.ts',
    within: 'function accepted(',
    edits: [{ from: 'sequence <= queue.latestSequence', to: 'false' }],
    project: 'apps/webhooks',
    tests: 'webhooks.int',
  },
  {
    name: 'S31',
    defect: 'all notifications of a secret have one initialization vector',
    file: 'apps/webhooks/src/attempts.ts',
    edits: [{ from: 'iv: random(IV_BYTES)', to: 'iv: new Uint8Array(IV_BYTES)' }],
    project: 'apps/webhooks',
    tests: 'webhooks.int',
  },
  {
    name: 'S31b',
    defect: "a subscription's secret opens under another one, too",
    file: 'apps/webhooks/src/sealed-secrets.ts',
    edits: [{ from: '`webhook secret ${subscriptionId}`', to: "'webhook secret'" }],
    project: 'apps/webhooks',
    tests: 'sealed-secrets',
  },
  {
    name: 'S32',
    defect: 'a redirect of a receiver is followed',
    file: 'apps/webhooks/src/receiver-calls.ts',
    within: 'async call(',
    edits: [
      {
        from: 'return this.#answerOf(result, begun);',
        to: `const { location } = begun?.headers ?? {};
    if (location !== undefined) return this.call({ url: location, headers, body });
    return this.#answerOf(result, begun);`,
      },
    ],
    project: 'apps/webhooks',
    tests: 'receiver-calls',
  },
  {
    name: 'S32b',
    defect: 'a receiver is called at whatever address its name leads to',
    file: 'apps/webhooks/src/receiver-calls.ts',
    within: '#connected(url: URL)',
    edits: [{ from: '...(lookup && { lookup }),', to: '' }],
    project: 'apps/webhooks',
    tests: 'receiver-calls',
  },
];
