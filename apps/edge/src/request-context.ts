import type { Mode, ReferenceContext, RequestContext } from '@sluice/contracts';
import type { Rejection } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import type { AdmittedRequest } from './access-guard.js';

/** Whatever refers to something, or is made with it, is of its mode (D-64). */
export const OF_OTHER_MODE: Rejection = { code: codes.modeDiffers };

/** What commands say of the caller. */
export function callerContextOf({
  access,
  stamp,
  receivedAtMs,
}: AdmittedRequest): Omit<RequestContext, 'mode'> {
  return {
    entityId: access.channel.id,
    channelName: access.channel.name,
    ndc: stamp.ndc,
    manualChargebacks: access.channel.manualChargebacks,
    receivedAtMs,
    actor: access.actor,
  };
}

/** The same with the mode of the request. */
export function requestContextOf(admitted: AdmittedRequest): RequestContext {
  return { ...callerContextOf(admitted), mode: admitted.mode };
}

/**
 * On a test installation, what refers to a transaction or a registration and names no mode has that of
 * what it refers to; a live one has only one mode (D-64).
 */
export function referenceContextOf(admitted: AdmittedRequest): ReferenceContext {
  const { mode } = admitted;
  return { ...callerContextOf(admitted), ...(isModeSaid(admitted) && { mode }) };
}

/**
 * The mode of a request that refers to what has this one (D-64); undefined if it says another, or if
 * what is live has come to a test installation, where nothing real may be charged.
 */
export function modeReferredTo(admitted: AdmittedRequest, mode: Mode): Mode | undefined {
  const mustBeSame = isModeSaid(admitted) || mode === 'LIVE';
  return mustBeSame && admitted.mode !== mode ? undefined : mode;
}

function isModeSaid({ form, mode }: AdmittedRequest): boolean {
  return mode === 'LIVE' || form.has('testMode');
}
