import type { Sweeper } from '@sluice/aggregates';
import type { AuthenticationVault, Vault } from '@sluice/contracts';
import type { PaymentState, RecoverySchedule } from '@sluice/domain-payments';
import type { OpenKeys } from '@sluice/service';
import { type Token, token } from '@sluice/service-module';
import type { PaymentStreams, PaymentWriter } from './payment-aggregate.js';
import type { PaymentsSettings } from './settings.js';

// What payments is started with, and what it makes of that, as its providers ask for it.
/** All that is set for it. */
export const SETTINGS: Token<PaymentsSettings> = token('settings');
/** Reveals account data for a call, and the proofs of authentications. */
export const VAULT: Token<Vault & Pick<AuthenticationVault, 'revealProof'>> = token('vault');
/** Seal what is personal in its events. */
export const KEYS: Token<OpenKeys> = token('keys');
/** Open what edge has sealed in commands. */
export const COMMAND_KEYS: Token<OpenKeys> = token('command keys');
/** When an acquirer is asked about a request that it has not answered. */
export const SCHEDULE: Token<RecoverySchedule> = token('recovery schedule');
/** The streams that are being worked on. */
export const STREAMS: Token<PaymentStreams> = token('streams');
/** Appends what was decided to them. */
export const WRITER: Token<PaymentWriter> = token('writer');
/** Finds what earlier processes left open. */
export const SWEEPER: Token<Sweeper<PaymentState>> = token('sweeper');
