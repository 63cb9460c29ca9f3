import { upstreamSettings } from '@sluice/messaging';

/** The services that registrations calls. */
export class RegistrationsUpstreams extends upstreamSettings('registrations') {}
