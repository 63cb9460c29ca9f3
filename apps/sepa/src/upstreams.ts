import { upstreamSettings } from '@sluice/messaging';

/** The services that sepa calls. */
export class SepaUpstreams extends upstreamSettings('sepa') {}
