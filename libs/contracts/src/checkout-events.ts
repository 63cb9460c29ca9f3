import type { TransactionId } from '@sluice/identifiers';
import { eventTable } from './event-table.js';
import type { PaymentEventMetadata } from './payment-events.js';
import { closed, described, flag, formed, listOf, oneOf, text, texts } from './schema.js';

/** Who asked and when: what is kept of a request is the same as of a payment's. */
export type CheckoutEventMetadata = PaymentEventMetadata;

/** What a checkout is completed by: a payment, or the storing of an instrument without one. */
export const checkoutPurposes = ['payment', 'registration'] as const;
/** One of them. */
export type CheckoutPurpose = (typeof checkoutPurposes)[number];

const transactionId = formed<TransactionId>('^[0-9a-f]{32}$');
const checkoutId = formed('^[A-Za-z0-9.-]{32,48}$', "The stream's id.");
const resultCode = formed('^[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$');
const registrations = listOf(
  transactionId,
  'What was stored that the form offers to pay with, in its order.',
);
const personal = described(text, "Sealed under the checkout's own key: AES-256-GCM, base64.");

/**
 * Everything that can have happened to a checkout (Interface 3 and 4). Account data is in the vault,
 * and none of it is in here; what became of an attempt in detail is in the stream of its payment.
 */
export const checkoutEvents = eventTable({
  CheckoutCreated: {
    version: 1,
    description: 'A merchant has said what is to be paid; the shopper can complete it from now on.',
    data: closed(
      {
        checkoutId,
        purpose: oneOf(checkoutPurposes),
        parameters: described(texts, 'What the merchant sent, by wire name.'),
      },
      {
        personal,
        registrations,
        script: described(
          text,
          "The hash of the widget's script that is served for it for its whole life.",
        ),
      },
    ),
  },
  CheckoutUpdated: {
    version: 1,
    description: 'The merchant has changed what is to be paid.',
    data: closed(
      { checkoutId, parameters: described(texts, 'Those that changed, by wire name.') },
      {
        personal: described(text, 'All that is personal from then on, sealed like the first.'),
        registrations,
      },
    ),
  },
  FormSaved: {
    version: 1,
    description:
      'What the shopper has typed is saved and not paid with: the page shows a summary first. It is in the place of what was saved before, and the next attempt uses it up.',
    data: closed(
      {
        transactionId: described(transactionId, 'By which this saving is told from others.'),
        details: listOf(text, 'Which of its account data the vault holds, by wire name.'),
        fields: described(text, 'All other fields of the form, sealed like the rest.'),
      },
      {
        vaultReference: described(
          text,
          "Where the vault holds that, for no longer than the checkout's life.",
        ),
      },
    ),
  },
  AttemptSubmitted: {
    version: 1,
    description: 'The shopper has sent the form: a payment or registration of its own begins.',
    data: closed(
      {
        transactionId: described(
          transactionId,
          'Of the payment or registration, whose own stream has what the form sent.',
        ),
      },
      {
        personal: described(text, 'Where the shopper goes afterwards, sealed like the rest.'),
        saved: described(transactionId, 'Which saving it was made of, if it was made of one.'),
      },
    ),
  },
  AttemptOpened: {
    version: 1,
    description: 'It waits for the shopper, who was sent to the page of somebody else.',
    data: closed({ transactionId, resultCode }),
  },
  AttemptSucceeded: {
    version: 1,
    description: 'It was approved.',
    data: closed({ transactionId, resultCode }),
  },
  AttemptFailed: {
    version: 1,
    description: 'It was declined, or not performed: the shopper may try again.',
    data: closed({ transactionId, resultCode }),
  },
  AttemptSuperseded: {
    version: 1,
    description:
      'The shopper has begun another attempt while this one was open: it must not succeed any more.',
    data: closed({ transactionId, successor: transactionId }),
  },
  ReversalRequested: {
    version: 1,
    description: 'An attempt was approved that must not succeed any more: it is to be reversed.',
    data: closed({ transactionId, referencedId: transactionId }),
  },
  ReversalEnded: {
    version: 1,
    description: 'What became of that reversal; one that failed needs a person.',
    data: closed({ transactionId, referencedId: transactionId, resultCode, isReversed: flag }),
  },
  CheckoutDeleted: {
    version: 1,
    description: 'The merchant has deleted it: it is over, and no shopper completes it any more.',
    data: closed({ checkoutId }),
  },
  StatusServed: {
    version: 1,
    description: 'The merchant has read that an attempt succeeded: the checkout is over.',
    data: closed({ transactionId }),
  },
  ResultCalled: {
    version: 1,
    description:
      "Webhooks was asked to call the merchant's page of results, because nobody had read a result.",
    data: closed({ checkoutId }),
  },
});
