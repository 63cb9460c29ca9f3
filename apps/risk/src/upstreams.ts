import { upstreamSettings } from '@sluice/messaging';

/** The services that risk calls. */
export class RiskUpstreams extends upstreamSettings('risk') {}
