import { describe, expect, it } from '@jest/globals';
import { type Message, paymentEvents, registrationEvents } from '@sluice/contracts';
import { CHANNEL, NOON_MS } from '../test/scripted-queries.js';
import { calling, newPayment, paymentEvent } from '../test/webhooks-fixture.js';
import { calledByPayment, calledByRegistration } from './called-events.js';

const id = newPayment();

/** An event whose request has named an address. */
function called(type: string, version = 2): Message {
  return calling(paymentEvent(id, version, type));
}

describe('an event of a request that has named an address', () => {
  it('has it called once the payment has ended', () => {
    const names = Object.keys(paymentEvents);
    const ends = names.filter((name) => calledByPayment(called(name)) !== undefined);
    expect(ends.sort()).toEqual([
      ...['StandaloneCompleted', 'TransactionApproved', 'TransactionDeclined'],
      ...['TransactionNotPerformed', 'TransactionRejected', 'UnknownTransactionReversed'],
    ]);
    expect(calledByPayment(called('TransactionApproved', 4))).toEqual({
      ...{ type: 'PAYMENT_CALL', objectId: id, sequence: 4, transactionId: id },
      ...{ entityId: CHANNEL, ndc: 'checkout-1', happenedAtMs: NOON_MS },
    });
  });

  it('has it called once the registration has ended', () => {
    const names = Object.keys(registrationEvents);
    const ends = names.filter((name) => calledByRegistration(called(name)) !== undefined);
    expect(ends.sort()).toEqual([
      ...['DetailsKept', 'DetailsNotKept', 'ExistingFound', 'RegistrationRejected'],
    ]);
    expect(calledByRegistration(called('DetailsKept'))).toMatchObject({
      ...{ type: 'REGISTRATION_CALL', transactionId: id },
    });
  });

  it('calls nobody where none was named, and what no service of ours has published', () => {
    expect(calledByPayment(paymentEvent(id, 2, 'TransactionApproved'))).toBeUndefined();
    expect(calledByRegistration(paymentEvent(id, 2, 'DetailsKept'))).toBeUndefined();
    for (const type of ['TransactionForgiven', 'toString', '__proto__']) {
      expect(calledByPayment(called(type))).toBeUndefined();
      expect(calledByRegistration(called(type))).toBeUndefined();
    }
  });
});
