import { upstreamSettings } from '@sluice/messaging';

/** The services that payments calls. */
export class PaymentsUpstreams extends upstreamSettings('payments') {}
