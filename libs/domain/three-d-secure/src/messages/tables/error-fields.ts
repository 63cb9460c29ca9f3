import { anywhere, C, R, type Row } from '../field-rows.js';
import { oneOf, pattern, upTo } from '../formats.js';
import { errorComponents } from '../error-codes.js';

/** Why a message is not taken. */
export const errorFields: readonly Row[] = [
  // Others may have codes that are not known here: an error is never answered with an error.
  anywhere('errorCode', 'What is wrong.', pattern('3 digits', /^[0-9]{3}$/u), { Erro: R }),
  anywhere(
    'errorComponent',
    'Who found it: C the app, S our server, D the directory server, A the issuer’s server.',
    oneOf(...errorComponents),
    { Erro: R },
  ),
  anywhere('errorDescription', 'The same in words.', upTo(2_048), { Erro: R }),
  anywhere('errorDetail', 'Which elements are wrong; values are never repeated.', upTo(2_048), {
    Erro: R,
  }),
  anywhere(
    'errorMessageType',
    'Which message is wrong.',
    pattern('4 characters', /^[A-Za-z]{4}$/u),
    {
      Erro: C('where the message could be recognized'),
    },
  ),
];
