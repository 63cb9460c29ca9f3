import { seedOf } from '@sluice/testing/programs';
import type { MerchantAccount } from './merchant-connection.js';

/** One channel of its own, seeded; nothing of the demo channel is used. */
export const ACCOUNT: MerchantAccount = {
  entityId: '8ac7a4c8700000000000000000000001',
  accessToken: 'kill-test-access-token-0123456789abcdef',
};

/**
 * What waits for minutes in life waits here for tenths of seconds (D-28). The longest faults book
 * later than anything counts as under way (window, call, flight and the margin of two clocks: 3 s), so
 * that approvals after the end happen too (D-27); the lease is the sum that D-25 asks for.
 */
export const SHORT_WAITS: Readonly<Record<string, string>> = {
  SLUICE_CONNECTOR_TIMEOUT_MS: '1000',
  SLUICE_SEND_WINDOW_MS: '1000',
  SLUICE_MAX_IN_FLIGHT_MS: '500',
  SLUICE_SWEEPER_LEASE_MS: '2500',
  SLUICE_INQUIRE_AFTER_MS: '200,400,600,800,1000,1500,2000,3000,5000,8000,12000,20000,40000',
  SLUICE_RESOLVE_BY_MS: '2500',
  SLUICE_LATE_INQUIRY_MS: '2000',
  SLUICE_SWEEP_INTERVAL_MS: '100',
  SLUICE_SIMULATOR_PENDING_MS: '1000',
  SLUICE_SIMULATOR_PAGE_MS: '2000',
};

/** The same, with a bank that takes files: they are made often, so that kills meet them being made. */
export const WITH_FILES_FOR_A_BANK: Readonly<Record<string, string>> = {
  ...SHORT_WAITS,
  SLUICE_SEPA_GATHER_MS: '1000',
};

/**
 * The seed file with that channel. What it sends in the mode EXTERNAL is for the bank; for the rest there
 * is no route, so the simulator plays the acquirer.
 */
export function seedFile(): string {
  const endpoint = { address: 'installation:sepa', acquirerMerchantId: 'demo' };
  return seedOf('Kill test', ACCOUNT, {
    merchantAccounts: [{ name: 'Bank', connector: 'sepa', endpoints: { EXTERNAL: endpoint } }],
    routes: [{ merchantAccount: 'Bank', modes: ['EXTERNAL'], methods: ['DD'] }],
  });
}
