import { upstreamSettings } from '@sluice/messaging';

/** The services that webhooks calls. */
export class WebhooksUpstreams extends upstreamSettings('webhooks') {}
