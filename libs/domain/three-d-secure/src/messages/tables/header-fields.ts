import { anywhere, app, byRules, C, O, R, type Row } from '../field-rows.js';
import {
  anyObject,
  array,
  needed,
  object,
  oneOf,
  pattern,
  transactionId,
  truth,
  upTo,
} from '../formats.js';
import { messageTypes } from '../message-kinds.js';

const EXTENSION_CHARACTERS_MAX = 8_059;

const extension = object('an extension', {
  name: needed(upTo(64)),
  id: needed(upTo(64)),
  criticalityIndicator: needed(truth),
  data: needed(anyObject('its data', EXTENSION_CHARACTERS_MAX)),
});

const ifKnown = C('where it is known');
/** Results have it since 2.2.0; an issuer of before does not know that it could tell it. */
const inResults = C('the version is 2.2.0 or later', ({ version }) => version !== '2.1.0');

/** What all messages have: which one it is, and of which transaction. */
export const headerFields: readonly Row[] = [
  anywhere('messageType', 'Which message it is.', oneOf(...messageTypes, 'OReq', 'ORes'), {
    ...{ AReq: R, ARes: R, CReq: R, CRes: R, RReq: R, RRes: R, PReq: R, PRes: R, Erro: R },
  }),
  anywhere(
    'messageVersion',
    'The version of the protocol; the 3-D Secure server chooses it, and a transaction keeps it.',
    pattern('three numbers with dots, 5 to 8 characters', /^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}$/u),
    { AReq: R, ARes: R, CReq: R, CRes: R, RReq: R, RRes: R, PReq: R, PRes: R, Erro: R },
  ),
  anywhere('threeDSServerTransID', 'The id of the 3-D Secure server for it.', transactionId, {
    ...{ AReq: R, ARes: R, CReq: R, CRes: R, RReq: R, RRes: R, PReq: R, PRes: R, Erro: ifKnown },
  }),
  anywhere('acsTransID', 'The id of the issuer’s server for it.', transactionId, {
    ...{ ARes: R, CReq: R, CRes: R, RReq: R, RRes: R, Erro: ifKnown },
  }),
  anywhere('dsTransID', 'The id of the directory server for it.', transactionId, {
    AReq: C('from the directory server to the issuer alone'),
    ...{ ARes: R, RReq: R, RRes: R, PRes: R, Erro: ifKnown },
  }),
  app('sdkTransID', 'The id of the shopper’s app for it.', transactionId, {
    ...{ AReq: R, ARes: R, CReq: R, CRes: R, RReq: inResults, RRes: inResults, Erro: ifKnown },
  }),
  anywhere(
    'messageExtension',
    'What a directory server, an issuer or a scheme wants to know beside the protocol.',
    { '2.1.0': array(extension, 10), '2.3.1': array(extension, 15) },
    {
      ...{ AReq: byRules, ARes: byRules, CReq: byRules, CRes: byRules, RReq: byRules },
      ...{ RRes: byRules, PReq: byRules, PRes: byRules },
    },
  ),
  anywhere(
    'broadInfo',
    'News from one server to another, such as a certificate that ends.',
    {
      '2.1.0': anyObject('any object', 4_096),
      '2.3.1': object('news', {
        category: needed(pattern('2 digits', /^[0-9]{2}$/u)),
        severity: needed(oneOf('01', '02', '03', '04')),
        recipients: needed(array(oneOf('01', '02', '03', '04'), 3)),
        source: needed(oneOf('01', '02', '03')),
        description: { format: upTo(4_000) },
        expDate: { format: pattern('YYYYMMDD', /^[0-9]{8}$/u) },
      }),
    },
    { AReq: O, ARes: O },
  ),
];
