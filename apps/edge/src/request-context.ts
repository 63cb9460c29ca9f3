import type { RequestContext } from '@sluice/contracts';
import type { AdmittedRequest } from './access-guard.js';

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
