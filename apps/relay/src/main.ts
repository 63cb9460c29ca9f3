import process from 'node:process';
import { refuseToRelay, runRelayOf } from './relay.js';
import { relayedService } from './settings.js';

const service = relayedService(process.env);
await (service === undefined ? refuseToRelay() : runRelayOf(service));
