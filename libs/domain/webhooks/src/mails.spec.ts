import { describe, expect, it } from '@jest/globals';
import { type AlertedSubscription, alertMail, wellAgainMail } from './alert-mail.js';
import { alertMatters } from './alert.js';
import { DIGEST_FAILURES_MAX, digestMail, type FailedNotification } from './digest-mail.js';
import { callText, type MailText, type ReceiverRecord } from './mail-text.js';
import { ENTITY } from './notification-fixture.js';
import { NOON_MS } from './subscription-fixture.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const ID = '5eed5eed000000000000000000000001';
const record: ReceiverRecord = {
  ...{ waiting: 2, oldestWaitingAtMs: NOON_MS - HOUR_MS, calls: 7, acknowledged: 1 },
  lastAcknowledgedAtMs: NOON_MS - 2 * HOUR_MS,
  lastFailure: { outcome: 'refused', statusCode: 500 },
};
const alerted: AlertedSubscription = {
  subscription: {
    ...{ id: ID, nodeId: ENTITY, types: ['PAYMENT', 'RISK'] },
    url: 'https://shop.example/hook/s3cret?key=s3cret',
  },
  ...{ record, givenUp: 1 },
};
const failed: FailedNotification = {
  ...{ id: '019aca3e-6b7c-7d8e-9f00-112233445566', type: 'PAYMENT', failures: 4 },
  ...{ happenedAtMs: NOON_MS - HOUR_MS, standing: 'waiting' },
  lastCall: { outcome: 'refused', statusCode: 500 },
};
const day = { sinceMs: NOON_MS - DAY_MS, untilMs: NOON_MS };
const digestOf = (count: number): MailText | undefined => {
  const each = { subscription: alerted.subscription, record };
  return digestMail(
    [
      {
        ...each,
        failed: Array.from({ length: count }, () => failed).slice(0, 100),
        failedCount: count,
      },
    ],
    day,
  );
};

const every: readonly MailText[] = [
  ...alertMatters.map((matter) => alertMail(matter, alerted)),
  wellAgainMail(alerted),
  ...[digestOf(1) ?? { subject: '', text: '' }],
];

describe('every mail', () => {
  it('says in its subject what is the matter, and with whom', () => {
    expect(every.map(({ subject }) => subject)).toEqual([
      'Switched off: https://shop.example is told nothing any more',
      'Given up: 1 notification to https://shop.example',
      'Failing: https://shop.example acknowledges no notifications',
      'Well again: https://shop.example takes notifications',
      'Daily digest: 1 notification not acknowledged, https://shop.example',
    ]);
  });

  it('says nothing of an address but its host, and how to get no more', () => {
    for (const { subject, text } of every) {
      expect(`${subject}${text}`).not.toMatch(/s3cret|\/hook/);
      expect(text).toContain(`sluice webhooks change ${ID} --no-email --execute\n`);
      expect(subject).toMatch(/^[ -~]{1,200}$/);
    }
  });
});

describe('an alert', () => {
  it('of a receiver that fails says since when, how, what waits and what to type', () => {
    expect(alertMail('failing', alerted).text).toBe(
      [
        'https://shop.example acknowledges no notifications, the last one was at 2026-01-15 10:00 UTC.',
        'Nothing is lost: each is tried for 30 days, and what waits is sent once it answers 2xx.',
        '',
        `  Subscription:    ${ID}`,
        `  Told of:         PAYMENT, RISK at ${ENTITY} and below`,
        '  Calls of a day:  7, of which 6 failed',
        '  Last failure:    answered 500',
        '  Waiting:         2 notifications, the oldest since 2026-01-15 11:00 UTC',
        '',
        'See what waits, and call the receiver once:',
        `  sluice webhooks show ${ID} --standing waiting`,
        `  sluice webhooks test ${ID}`,
        '',
        'There is one such mail a day at most, and one when all is well again.',
        'No more mails:',
        `  sluice webhooks change ${ID} --no-email --execute`,
        '',
      ].join('\n'),
    );
  });

  it('of one that was switched off, or gave something up, says what is lost until somebody acts', () => {
    expect(alertMail('gone', alerted).text).toContain('what happens until then is not kept for it');
    expect(alertMail('gone', alerted).text).not.toContain('Waiting:');
    expect(alertMail('givenUp', { ...alerted, givenUp: 3 }).text).toContain(
      'has not acknowledged 3 notifications in 30 days.\nThey are not tried any more',
    );
    expect(alertMail('givenUp', alerted).text).toContain(
      `sluice webhooks resend --failed ${ID} --execute`,
    );
  });
});

describe('a mail that all is well', () => {
  it('says what still waits', () => {
    expect(wellAgainMail(alerted).text).toContain('What waits is sent by itself: 2 notifications');
    const none = { ...record, waiting: 0, oldestWaitingAtMs: undefined };
    expect(wellAgainMail({ ...alerted, record: none }).text).toContain('Nothing waits for it');
  });
});

describe('a digest', () => {
  it('says of each notification how often it failed, what came of the last call and what to type', () => {
    const { text } = digestOf(1) ?? { text: '' };
    expect(text).toContain('between 2026-01-14 12:00 UTC and 2026-01-15 12:00 UTC.');
    expect(text).toContain('  7 calls, 6 failed; waiting: 2 notifications, the oldest since');
    expect(text).toContain(`  ${failed.id}  PAYMENT of 2026-01-15 11:00 UTC\n`);
    expect(text).toContain('4 failed calls, the last one: answered 500; is tried again\n');
    expect(text).toContain(`  sluice webhooks show ${failed.id}\n`);
    expect(text).toContain(`  sluice webhooks resend ${failed.id} --execute\n`);
  });

  it('has a hundred at most, and says how many more there are', () => {
    const { subject, text } = digestOf(DIGEST_FAILURES_MAX + 5) ?? { subject: '', text: '' };
    expect(text.split(' PAYMENT of ')).toHaveLength(DIGEST_FAILURES_MAX + 1);
    expect(text).toContain('  and 5 more\n');
    expect(subject).toContain('105 notifications');
  });

  it('is none where nothing failed', () => {
    expect(digestOf(0)).toBeUndefined();
    expect(digestMail([], day)).toBeUndefined();
  });
});

describe('what came of a call', () => {
  it('is a few words', () => {
    const words = (
      ['timeout', 'connectionLost', 'notReachable', 'notAllowed', 'lapsed'] as const
    ).map((outcome) => callText({ outcome, statusCode: null }));
    expect(words).toEqual([
      ...['no answer in 30 seconds', 'connection lost', 'not reachable'],
      ...['address not allowed', 'unknown'],
    ]);
  });
});
