import { upstreamSettings } from '@sluice/messaging';

/** The services that reporting calls. */
export class ReportingUpstreams extends upstreamSettings('reporting') {}
