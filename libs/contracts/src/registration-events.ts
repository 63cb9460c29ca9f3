import type { EntityId, TransactionId } from '@sluice/identifiers';
import { type EventsOf, eventTable } from './event-table.js';
import { paidInstrument, refusedInstrument } from './instruments.js';
import type { PaymentEventMetadata } from './payment-events.js';
import { closed, described, flag, formed, integer, text, texts } from './schema.js';

/** Who asked and when: what is kept of a request is the same as of a payment's. */
export type RegistrationEventMetadata = PaymentEventMetadata;

const transactionId = formed<TransactionId>('^[0-9a-f]{32}$');
const resultCode = formed('^[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}$');
const parameters = described(texts, 'By wire name.');
const personal = described(text, "Sealed under the registration's own key: AES-256-GCM, base64.");
const expiry = closed({ month: text, year: text });
const decidingPaymentId = described(
  transactionId,
  'The payment that decided this, where it is another one than it was asked for with.',
);
const keptUntilMs = described(
  integer,
  'When the details are forgotten unless their life is extended, milliseconds since the epoch.',
);

/**
 * Everything that can have happened to a registration (Interface 2.16): its id is the stream's, and
 * that of the request that made it. Account data is in the vault, and none of it is in here.
 */
export const registrationEvents = eventTable({
  RegistrationRequested: {
    version: 1,
    description: 'An instrument is to be stored; the vault may have been asked to keep it.',
    data: closed(
      {
        transactionId,
        instrument: described(paidInstrument, 'The vault holds its details for the request.'),
        merchantId: formed<EntityId>('^[0-9a-f]{32}$'),
        parameters,
      },
      {
        personal,
        paymentId: described(
          transactionId,
          'The payment that it was asked for with: it can be used only once that is approved.',
        ),
        isPaymentMade: described(flag, 'True: that payment had been made before.'),
        mayBeExisting: described(
          flag,
          'True: where the same account is stored for the channel already, that registration is the answer.',
        ),
      },
    ),
  },
  RegistrationRejected: {
    version: 1,
    description: 'Refused before anything was done: nothing was ever stored.',
    data: closed(
      { transactionId, resultCode, instrument: refusedInstrument, parameters },
      {
        resultDescription: described(text, "In place of the code's own text."),
        personal,
      },
    ),
  },
  DetailsKept: {
    version: 1,
    description:
      'The vault keeps the details: the registration can be used, unless it belongs to a payment.',
    data: closed({
      ...{ transactionId, resultCode, keptUntilMs },
      vaultReference: text,
      fingerprint: described(text, 'Keyed hash of the account, the same for it in one merchant.'),
    }),
  },
  ExistingFound: {
    version: 1,
    description:
      'The same account was stored before: nothing was stored, and the request is answered with that registration.',
    data: closed(
      { transactionId, resultCode, registrationId: described(transactionId, 'That one.') },
      { expiry: described(expiry, 'The expiry that the account came with now, if it is another.') },
    ),
  },
  PaymentAwaited: {
    version: 1,
    description:
      'The same account was to be stored with another payment, or the same request came again under its key: the registration can be used once either payment is approved.',
    data: closed({ registrationId: transactionId, paymentId: transactionId }),
  },
  DetailsNotKept: {
    version: 1,
    description: 'The vault had nothing to keep any more: the registration never came to be.',
    data: closed(
      { transactionId, resultCode },
      { resultDescription: described(text, "In place of the code's own text.") },
    ),
  },
  RegistrationConfirmed: {
    version: 1,
    description: 'The payment it belongs to is approved: the registration can be used.',
    data: closed({ transactionId, resultCode }, { paymentId: decidingPaymentId }),
  },
  RegistrationAbandoned: {
    version: 1,
    description:
      'The payment it belongs to failed or was never made, or it was deleted before that was decided; the vault may have been asked to forget its details.',
    data: closed({ transactionId, resultCode }, { paymentId: decidingPaymentId }),
  },
  UpdateRequested: {
    version: 1,
    description: 'Something is to be changed; the vault may have been asked to change the expiry.',
    data: closed(
      {
        ...{ transactionId, referencedId: transactionId, parameters },
        revision: described(
          integer,
          'Counts the updates from 1: the vault makes each of them once.',
        ),
      },
      {
        expiry: described(expiry, 'The new one.'),
        personal: described(
          text,
          'All that is personal from then on, sealed like that of the registration itself.',
        ),
      },
    ),
  },
  RegistrationUpdated: {
    version: 1,
    description: 'It has been changed, in the vault as well.',
    data: closed({
      ...{ transactionId, referencedId: transactionId, resultCode, keptUntilMs },
    }),
  },
  RegistrationNotUpdated: {
    version: 1,
    description: 'The registration ended, or the vault had lost its details: nothing was changed.',
    data: closed({ transactionId, referencedId: transactionId, resultCode }),
  },
  LifeExtended: {
    version: 1,
    description: 'The details are kept for longer.',
    data: closed({
      ...{ transactionId, referencedId: transactionId, resultCode, keptUntilMs, parameters },
    }),
  },
  RegistrationDeleted: {
    version: 1,
    description: 'Nobody can use it any more; the vault may have been asked to forget its details.',
    data: closed({ transactionId, referencedId: transactionId, resultCode, parameters }),
  },
  RegistrationExpired: {
    version: 1,
    description: 'The same, because the time was over for which the details are kept.',
    data: closed({ registrationId: transactionId }),
  },
  DetailsForgotten: {
    version: 1,
    description: 'The vault has forgotten the details, and the key that they were encrypted with.',
    data: closed({ registrationId: transactionId }),
  },
});

/** The data of each event of a registration, by its name. */
export type RegistrationEvents = EventsOf<typeof registrationEvents>;
