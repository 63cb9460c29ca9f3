import { anywhere, C, isIn, R, type Row, since, withShopper } from '../field-rows.js';
import { codes, digits, needed, object, oneOf, possible, transactionId, upTo } from '../formats.js';
import { errorCodes, errorComponents } from '../error-codes.js';
import { messageTypes } from '../message-kinds.js';

const reported = object('Erro', {
  errorCode: needed(oneOf(...errorCodes)),
  errorComponent: needed(oneOf(...errorComponents)),
  errorDescription: needed(upTo(2_048)),
  errorDetail: needed(upTo(2_048)),
  errorMessageType: possible(oneOf(...messageTypes)),
  messageType: needed(oneOf('Erro')),
  messageVersion: needed(upTo(8, 5)),
  threeDSServerTransID: possible(transactionId),
  acsTransID: possible(transactionId),
  dsTransID: possible(transactionId),
  sdkTransID: possible(transactionId),
});

/** What is told after a challenge, and that it arrived. */
export const resultFields: readonly Row[] = [
  withShopper(
    'interactionCounter',
    'How often the shopper tried.',
    { '2.1.0': digits(2), '2.2.0': null },
    {
      RReq: R,
    },
  ),
  withShopper('interactionCounter', 'How often the shopper tried.', since('2.2.0', digits(2)), {
    RReq: C('unless the shopper was asked without the browser'),
  }),
  anywhere(
    'challengeCancel',
    'Why the challenge ended early: 01 the shopper cancelled, 03 to 05 and 08 it took too long, 06 an error, 07 unknown, 09 and 10 Erro.',
    {
      '2.1.0': codes('01', '08'),
      '2.3.1': codes('03', '10', '01'),
    },
    { RReq: C('where the challenge ended early') },
  ),
  withShopper('challengeErrorReporting', 'The Erro that it ended with.', since('2.3.1', reported), {
    RReq: C('challengeCancel is 09 or 10', isIn('challengeCancel', '09', '10')),
  }),
  anywhere(
    'resultsStatus',
    '01: the results arrived; 02, 03: there was no challenge, because CReq or ARes did not arrive.',
    { '2.1.0': codes('01', '03'), '2.3.1': codes('01', '04') },
    { RRes: R },
  ),
];
