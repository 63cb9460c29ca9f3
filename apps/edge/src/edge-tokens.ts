import { createHmac } from 'node:crypto';
import type { SavingVault, TokenVault, Vault } from '@sluice/contracts';
import type { Commands, Queries } from '@sluice/messaging';
import type { OpenKeys } from '@sluice/service';
import { type Token, token } from '@sluice/service-module';
import type { IdsInFlight } from './ids-in-flight.js';
import type { OnRequestDone } from './request-log.js';
import type { EdgeSettings } from './settings.js';

// What edge is started with (`EdgeStart`), as its providers ask for it.
/** All that is set for it. */
export const SETTINGS: Token<EdgeSettings> = token('settings');
/** Commands to other services, over Kafka or in this process. */
export const COMMANDS: Token<Commands> = token('commands');
/** Questions to other services. */
export const QUERIES: Token<Queries> = token('queries');
/** Holds account data for a request. */
export const VAULT: Token<Vault & TokenVault & SavingVault> = token('vault');
/** Seal what is personal in commands. */
export const KEYS: Token<OpenKeys> = token('keys of commands');
/** Which transactions may still be on their way (D-72). */
export const IN_FLIGHT: Token<IdsInFlight> = token('ids in flight');
/** Told of every request that was answered. */
export const ON_REQUEST_DONE: Token<OnRequestDone> = token('on request done');

/** A key of its own for each use, so that two kinds of hash can never be compared. */
export function derivedKey({ credentialKey }: EdgeSettings, use: string): Buffer {
  return createHmac('sha256', credentialKey).update(`sluice ${use}`).digest();
}
