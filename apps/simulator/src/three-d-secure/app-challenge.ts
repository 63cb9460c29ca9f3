import type { AccessControlServer } from './access-control-server.js';
import { fromApp, toApp, transactionOf } from './app-channel.js';
import { screenOf } from './app-screens.js';
import type { Authentication } from './authentication-book.js';
import { type ChallengeAnswer, optionsOf } from './challenge-answers.js';
import { answerIn } from './challenge-form.js';
import { erro, type Message, type Refusal } from './messages.js';

/** What an app is answered: encrypted, or Erro in clear. */
export interface AppAnswer {
  readonly type: 'application/jose; charset=utf-8' | 'application/json; charset=utf-8';
  readonly body: string;
}

const COUNTER_DIGITS = 3;

/** Takes CReq of an app's SDK, encrypted, and answers it with the next screen or the end (CRes). */
export async function answerApp(
  acs: AccessControlServer,
  network: string,
  jwe: string,
): Promise<AppAnswer> {
  const authentication = acs.book.find(transactionOf(jwe) ?? '');
  const keys = authentication && acs.keysOf(authentication);
  if (authentication?.request.network !== network || keys === undefined) {
    return refuse({}, { code: '301', detail: 'acsTransID' });
  }
  const received = await fromApp(jwe, keys);
  if (received === undefined) return refuse({}, { code: '302', detail: 'CReq' });
  const { message, encryption } = received;
  const refusal = refusalOf(message, authentication);
  if (refusal !== undefined) return refuse(message, refusal);
  const counter = authentication.appMessages;
  authentication.appMessages += 1;
  const answer = authentication.isChallenged ? answerOf(message, authentication) : undefined;
  acs.challenge(authentication);
  if (answer !== undefined) await acs.answer(authentication, answer);
  const answered = challengeResponse(authentication, counter);
  return {
    type: 'application/jose; charset=utf-8',
    body: await toApp(answered, authentication.id, keys, encryption),
  };
}

function refuse(received: Message, refusal: Refusal): AppAnswer {
  const body = JSON.stringify(erro(received, refusal, 'A'));
  return { type: 'application/json; charset=utf-8', body };
}

/** A message of another transaction, of another version, or one that was sent before. */
function refusalOf(message: Message, authentication: Authentication): Refusal | undefined {
  const { request, id, appMessages } = authentication;
  if (message['messageType'] !== 'CReq') return { code: '101', detail: 'messageType' };
  const expected: readonly (readonly [string, string | undefined, Refusal['code']])[] = [
    ['messageVersion', request.version, '203'],
    ['threeDSServerTransID', request.serverTransactionId, '301'],
    ['acsTransID', id, '301'],
    ['sdkTransID', request.sdkTransactionId, '301'],
    ['sdkCounterStoA', counted(appMessages), '302'],
  ];
  const wrong = expected.find(([name, value]) => message[name] !== value);
  return wrong && { code: wrong[2], detail: wrong[0] };
}

/** What the shopper did on the screen. */
function answerOf(message: Message, { decision }: Authentication): ChallengeAnswer {
  const { challengeCancel, oobContinue, challengeDataEntry, challengeHTMLDataEntry } = message;
  if (typeof challengeCancel === 'string') return { kind: 'cancelled' };
  if (typeof challengeHTMLDataEntry === 'string') {
    return answerIn(new URLSearchParams(challengeHTMLDataEntry));
  }
  if (oobContinue === true) return { kind: 'approved' };
  const entered = typeof challengeDataEntry === 'string' ? challengeDataEntry : '';
  if (decision.challenge === 'oneTimePassword') return { kind: 'answered', values: [entered] };
  const all = optionsOf(decision.challenge);
  const values = entered.split(',').map((key) => all[Number(key) - 1]?.value ?? key);
  return { kind: 'answered', values };
}

/** CRes: the end, or the screen that comes next. */
function challengeResponse(authentication: Authentication, counter: number): Message {
  const { request, id, ending } = authentication;
  const about = {
    ...{ messageType: 'CRes', messageVersion: request.version, acsTransID: id },
    ...{ threeDSServerTransID: request.serverTransactionId, sdkTransID: request.sdkTransactionId },
    acsCounterAtoS: counted(counter),
  };
  if (ending === undefined) {
    return { ...about, challengeCompletionInd: 'N', ...screenOf(authentication) };
  }
  // To apps a challenge says yes or no; what else it may be, RReq says.
  const transStatus = ending.status === 'Y' ? 'Y' : 'N';
  return { ...about, challengeCompletionInd: 'Y', transStatus };
}

function counted(count: number): string {
  return String(count).padStart(COUNTER_DIGITS, '0');
}
