import { upstreamSettings } from '@sluice/messaging';

/** The services that checkouts asks. */
export class CheckoutsUpstreams extends upstreamSettings('checkouts') {}
