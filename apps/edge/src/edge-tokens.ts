import { createHmac } from 'node:crypto';
import type { TokenVault, Vault } from '@sluice/contracts';
import type { Commands, Queries } from '@sluice/messaging';
import type { OpenKeys } from '@sluice/service';
import { type Token, token } from '@sluice/service-module';
import type { IdsInFlight } from './ids-in-flight.js';
import type { OnRequestDone } from './request-log.js';
import type { EdgeSettings } from './settings.js';

// What edge is started with, as its providers ask for it.
export const SETTINGS: Token<EdgeSettings> = token('settings');
export const COMMANDS: Token<Commands> = token('commands');
export const QUERIES: Token<Queries> = token('queries');
export const VAULT: Token<Vault & TokenVault> = token('vault');
export const KEYS: Token<OpenKeys> = token('keys of commands');
export const IN_FLIGHT: Token<IdsInFlight> = token('ids in flight');
export const ON_REQUEST_DONE: Token<OnRequestDone> = token('on request done');

/** A key of its own for each use, so that two kinds of hash can never be compared. */
export function derivedKey({ credentialKey }: EdgeSettings, use: string): Buffer {
  return createHmac('sha256', credentialKey).update(`sluice ${use}`).digest();
}
