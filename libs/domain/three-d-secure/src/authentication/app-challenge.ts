import type { AppChallenge } from '@sluice/contracts';
import type { Authentication } from './authentication.js';

/**
 * What the SDK of an app needs for its challenge; undefined for all others. The app talks to the issuer itself:
 * of what it is told there we hear by RReq.
 */
export function appChallengeOf({
  phase,
  terms,
  response,
  serverTransactionId,
}: Authentication): AppChallenge | undefined {
  const { sdkTransactionId, version, channel } = terms;
  if (phase !== 'challenged' || channel !== '01' || response === undefined) return undefined;
  const { acsSignedContent, acsReferenceNumber, acsRenderingType } = response;
  const { dsTransactionId, acsTransactionId } = response;
  const isWhole =
    acsSignedContent !== undefined &&
    acsReferenceNumber !== undefined &&
    acsRenderingType !== undefined &&
    sdkTransactionId !== undefined;
  if (!isWhole) return undefined;
  return {
    ...{ version, serverTransactionId, dsTransactionId, acsTransactionId, sdkTransactionId },
    ...{ acsReferenceNumber, acsSignedContent, acsRenderingType },
  };
}
