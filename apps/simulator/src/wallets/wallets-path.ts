/** Where the wallets are below the address of a server. */
export const WALLETS_PATH = '/wallets';
