import type { MerchantAccount } from './merchant-connection.js';

/** A channel of its own, seeded; nothing of the demo channel is used. */
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

/** The entity id of a channel of the same merchant that has one registration for each account. */
export const ENTITY_ID_STORING_ONCE = '8ac7a4c8700000000000000000000002';

/** The same, with a merchant account that leads to an acquirer of the test. */
export function withAcquirer(address: string): Readonly<Record<string, string>> {
  return { ...WITH_FILES_FOR_A_BANK, PAYMENTS_PRIVATE_TARGETS: new URL(address).host };
}

/**
 * The seed file with both channels. In the mode INTERNAL the simulator plays the acquirer, for which there
 * is no route. In EXTERNAL, direct debits are for the bank. Cards go to an acquirer that takes none of
 * them, if there is one, then to the simulator under one account; and under yet another one, where nothing
 * may go that the simulator perhaps has booked.
 * @param unwilling the address of that acquirer
 */
export function seedFile(unwilling?: string): string {
  const { entityId, accessToken } = ACCOUNT;
  const shared = { merchant: 'Kill test', accessTokens: [accessToken], legacyCredentials: [] };
  const forCards =
    unwilling === undefined
      ? []
      : [
          account('Unwilling', 'simulator', unwilling),
          ...['Near', 'Far'].map((name) => account(name, 'simulator')),
        ];
  const routes = forCards.map(({ name: merchantAccount }, priority) => ({
    ...{ merchantAccount, modes: ['EXTERNAL'], methods: ['CC'], priority },
    takesDeclined: true,
  }));
  const debits = { merchantAccount: 'Bank', modes: ['EXTERNAL'], methods: ['DD'] };
  const routing = {
    merchantAccounts: [account('Bank', 'sepa'), ...forCards],
    routes: [debits, ...routes],
  };
  const once = { entityId: ENTITY_ID_STORING_ONCE, registrations: 'existing' };
  return JSON.stringify({
    channels: [
      { entityId, name: 'Kill test', ...shared, ...routing },
      { ...once, name: 'Kill test, stored once', ...shared },
    ],
  });
}

/** The simulator asks for no id of a merchant; of the files' creditors there is one. */
function account(name: string, connector: string, address = `installation:${connector}`) {
  return { name, connector, endpoints: { EXTERNAL: { address, acquirerMerchantId: 'demo' } } };
}
