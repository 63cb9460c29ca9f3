import { object, type Properties, text } from './answer-properties.js';
import type { JsonObject } from './json-object.js';

const card: Properties = {
  holder: text('The name on it.'),
  expiryMonth: text('Two digits.'),
  expiryYear: text('Four digits.'),
};

const saved: Properties = {
  id: text('The checkout.'),
  saved: text('Of what was saved, for the field `saved` of the request that pays it.'),
  resourcePath: text('Where it is paid by `POST`, and then read.'),
  paymentBrand: text('What it will be paid by.'),
  registrationId: text('The stored account that was chosen, if one was.'),
  card: object('What was typed of a card beside its number and code.', card),
};

/**
 * What a page is told of a form that was saved (page 0068).
 * @param common what every answer has
 */
export function savingSchema(common: Properties): JsonObject {
  const description = 'What the callback `onSaveTransactionData` is called with.';
  return object(
    'What was saved: no digit of an account. New fields may come at any time.',
    {
      id: text('The checkout.'),
      saved: object(description, saved, { required: ['id', 'saved', 'resourcePath'] }),
      ...common,
    },
    { required: ['id', 'saved', ...Object.keys(common)] },
  );
}
