import { randomUUID } from 'node:crypto';
import { renderingOf } from './app-screens.js';
import type { Authentication, Ending } from './authentication-book.js';
import { newProof } from './cryptogram.js';
import { isSince, type Message } from './messages.js';
import { isProven, type Status } from './networks.js';
import type { ContentSigner } from './signed-content.js';

/** Issuers have other reference numbers; EMVCo gives them out. */
const ACS_REFERENCE = 'SLUICE-SIMULATED-ACS';
const DS_REFERENCE = 'SLUICE-SIMULATED-DS';
/** Which words of apps about their devices are known (EMV `deviceInfoRecognisedVersion`). */
const DEVICE_WORDS = '1.6';
const DECOUPLED_TEXT = 'Your bank is asking you in its app. This is a test: it says yes by itself.';

/** How a shopper is asked: EMV `authenticationType` until 2.2.0, and `authenticationMethod` from then on. */
const WAYS = {
  oneTimePassword: { type: '02', method: '02' },
  singleSelect: { type: '02', method: '06' },
  multiSelect: { type: '02', method: '06' },
  outOfBand: { type: '03', method: '09' },
  decoupled: { type: '04', method: '12' },
} as const;

/** ARes; `challengeUrl` is where browsers find the pages of the ACS. */
export function answerOf(
  authentication: Authentication,
  challengeUrl: string,
  signer: ContentSigner,
): Message {
  const { request, decision } = authentication;
  const { status, reason } = decision;
  return {
    ...idsOf(authentication),
    messageType: 'ARes',
    messageVersion: request.version,
    acsReferenceNumber: ACS_REFERENCE,
    dsReferenceNumber: DS_REFERENCE,
    ...ofApp(authentication),
    transStatus: status,
    ...(reason !== undefined && { transStatusReason: reason }),
    ...provenBy(authentication, status),
    ...((status === 'C' || status === 'D') && wayOf(authentication)),
    ...(status === 'C' && challengeOf(authentication, challengeUrl, signer)),
    ...(status === 'D' && decoupledIn(authentication)),
  };
}

/** RReq. */
export function resultOf(authentication: Authentication, ending: Ending): Message {
  const { request, decision, answers } = authentication;
  const { status, reason, challengeCancel } = ending;
  const isAnswered = status === 'Y' || status === 'N';
  return {
    ...idsOf(authentication),
    messageType: 'RReq',
    messageVersion: request.version,
    messageCategory: request.category,
    ...(request.sdkTransactionId !== undefined && { sdkTransID: request.sdkTransactionId }),
    ...(isAnswered && wayOf(authentication)),
    transStatus: status,
    ...(reason !== undefined && { transStatusReason: reason }),
    ...(challengeCancel !== undefined && { challengeCancel }),
    ...(decision.status === 'C' && { interactionCounter: String(answers).padStart(2, '0') }),
    ...(decision.status === 'C' && request.channel === 'app' && renderingIn(authentication)),
    ...provenBy(authentication, status),
  };
}

/** A success of which directory server and ACS know nothing: other ids, another cryptogram. */
export function forged({ eci }: Authentication, message: Message): Message {
  return {
    ...message,
    ...{ acsTransID: randomUUID(), dsTransID: randomUUID(), transStatus: 'Y' },
    ...{ authenticationValue: newProof({ number: '' }), eci: eci.Y },
  };
}

function idsOf({ id, dsTransactionId, request }: Authentication): Message {
  return {
    threeDSServerTransID: request.serverTransactionId,
    acsTransID: id,
    dsTransID: dsTransactionId,
  };
}

/** What an app is told whatever the status. */
function ofApp({ request }: Authentication): Message {
  const { sdkTransactionId, channel, version } = request;
  return {
    ...(sdkTransactionId !== undefined && { sdkTransID: sdkTransactionId }),
    ...(channel === 'app' &&
      isSince(version, '2.3.1') && {
        deviceInfoRecognisedVersion: DEVICE_WORDS,
        threeDSRequestorAppURLInd: 'N',
      }),
  };
}

function provenBy({ proofs, eci, request }: Authentication, status: Status): Message {
  const isWanting = request.wishes.fault === 'noCryptogram';
  return {
    ...(eci[status] !== undefined && { eci: eci[status] }),
    ...(isProven(status) && !isWanting && { authenticationValue: proofs[status] }),
  };
}

function wayOf({ request, decision }: Authentication): Message {
  const { type, method } = WAYS[decision.status === 'D' ? 'decoupled' : decision.challenge];
  return isSince(request.version, '2.3.1')
    ? { authenticationMethod: [method] }
    : { authenticationType: type };
}

function challengeOf(
  authentication: Authentication,
  challengeUrl: string,
  signer: ContentSigner,
): Message {
  const { request } = authentication;
  const mandated = { acsChallengeMandated: 'Y' };
  if (request.channel !== 'app') return { ...mandated, acsURL: challengeUrl };
  const acsURL = challengeUrl.replace(/challenge$/, 'app');
  const content = { acsURL, sdkEphemPubKey: request.sdkKey };
  return {
    ...mandated,
    ...renderingIn(authentication),
    acsSignedContent: signer.sign(content),
  };
}

function renderingIn({ request, decision }: Authentication): Message {
  const mode = isSince(request.version, '2.3.1') ? { deviceUserInterfaceMode: '01' } : {};
  return { acsRenderingType: { ...renderingOf(request, decision.challenge), ...mode } };
}

/** D asks for the gateway's patience. */
function decoupledIn({ request: { version } }: Authentication): Message {
  const isNew = isSince(version, '2.3.1');
  return {
    acsDecConInd: 'Y',
    ...(isNew && { acsChallengeMandated: 'Y' }),
    cardholderInfo: isNew ? { text: DECOUPLED_TEXT } : DECOUPLED_TEXT,
  };
}
