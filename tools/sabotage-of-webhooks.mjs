// Defects in how merchants hear of changes.

/** @type {readonly import('./sabotage-variants.mjs').Variant[]} */
export const webhookVariants = [
  {
    name: 'S39',
    defect: 'a failed attempt is dated by the machine where its entity has a clock of its own',
    file: 'apps/webhooks/src/endings.ts',
    within: 'async #write(',
    edits: [
      {
        from: 'const { clock } = this.parts;',
        to: 'const { clock, machine } = this.parts;',
      },
      {
        from: 'const nowMs = clock.now(claim.told.source.entityId);',
        to: 'const nowMs = machine.now();',
      },
    ],
    project: 'apps/webhooks',
    tests: 'clocks-of-entities',
  },
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
  {
    name: 'S37',
    defect: 'a receiver that fails is mailed about each minute',
    file: 'libs/domain/webhooks/src/alert.ts',
    within: 'export function alertDecision(',
    edits: [{ from: 'nowMs < last.alertedAtMs + ALERT_EVERY_MS', to: 'nowMs < last.alertedAtMs' }],
    project: 'apps/webhooks',
    tests: 'src/mails/mails.int',
  },
  {
    name: 'S37b',
    defect: 'a mail that is sent again is another one for mail programs',
    file: 'apps/webhooks/src/mails/mail-sender.ts',
    edits: [{ from: 'messageId: `<${id}@${domain}>`', to: "messageId: ''" }],
    project: 'apps/webhooks',
    tests: 'src/mails/mails.int',
  },
  {
    name: 'S37c',
    defect: 'a mail that nobody has sent is not taken again',
    file: 'apps/webhooks/src/mails/mail-outbox.ts',
    edits: [
      {
        from: 'SET tries = tries + 1, due_at = to_timestamp($2)',
        to: "SET tries = tries + 1, due_at = to_timestamp($2) + interval '1 year'",
      },
    ],
    project: 'apps/webhooks',
    tests: 'src/mails/mails.int',
  },
  {
    name: 'S38',
    defect: 'an address for mails may end its header',
    file: 'libs/domain/webhooks/src/mail-address.ts',
    edits: [{ from: 'isDomain && LOCAL_PART.test(local)', to: 'isDomain' }],
    project: 'libs/domain/webhooks',
    tests: 'mail-address',
  },
  {
    name: 'S38b',
    defect: "a mail has the whole of a receiver's address",
    file: 'libs/domain/webhooks/src/mail-text.ts',
    within: 'export function receiverName(',
    edits: [{ from: 'receiverOf(new URL(url))', to: 'url' }],
    project: 'libs/domain/webhooks',
    tests: 'mails',
  },
];
