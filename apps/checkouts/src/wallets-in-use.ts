import { SettingsError } from '@sluice/service';
import type { WalletsInUse } from './offered-wallets.js';
import type { CheckoutsSettings } from './settings.js';
import { WalletMerchants } from './wallet-merchants.js';

type WalletSettings = Pick<
  CheckoutsSettings,
  'walletsFile' | 'walletSimulatorUrl' | 'walletPagesUrl'
>;

/** A simulator plays them all, or merchants have been set up. */
export async function walletsInUse({
  walletsFile,
  walletSimulatorUrl,
  walletPagesUrl,
}: WalletSettings): Promise<WalletsInUse> {
  if (walletSimulatorUrl === undefined) {
    if (walletPagesUrl !== undefined) throw new SettingsError(PAGES_ALONE);
    const merchants = walletsFile === undefined ? undefined : WalletMerchants.read(walletsFile);
    return { merchants: (await merchants) ?? WalletMerchants.none };
  }
  if (walletsFile !== undefined) throw new SettingsError(BOTH_WALLETS);
  const url = walletSimulatorUrl.replace(/\/$/, '');
  const pages = (walletPagesUrl ?? url).replace(/\/$/, '');
  return { merchants: WalletMerchants.none, simulated: { url, pages } };
}

const PAGES_ALONE =
  'CHECKOUTS_WALLET_PAGES_URL says where the simulator of CHECKOUTS_WALLET_SIMULATOR_URL is, which is not set.';
const BOTH_WALLETS =
  'CHECKOUTS_WALLETS_FILE must not be set where CHECKOUTS_WALLET_SIMULATOR_URL is: a simulator plays them all.';
