import { upstreamSettings } from '@sluice/messaging';

/** The services that scheduling calls. */
export class SchedulingUpstreams extends upstreamSettings('scheduling') {}
