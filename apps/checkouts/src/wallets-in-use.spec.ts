import { describe, expect, it } from '@jest/globals';
import { WalletMerchants } from './wallet-merchants.js';
import { walletsInUse } from './wallets-in-use.js';

const url = 'http://127.0.0.1:4000';

describe('the wallets of an installation', () => {
  it('are none where nothing is said', async () => {
    expect(await walletsInUse({})).toEqual({ merchants: WalletMerchants.none });
  });

  it('are of a file', async () => {
    await expect(walletsInUse({ walletsFile: '/nowhere.json' })).rejects.toThrow('ENOENT');
  });

  it('are of a simulator, where browsers reach it too, unless they do so elsewhere', async () => {
    const simulatedOf = async (walletPagesUrl?: string) => {
      const settings = { walletSimulatorUrl: `${url}/`, ...(walletPagesUrl && { walletPagesUrl }) };
      return (await walletsInUse(settings)).simulated;
    };
    expect(await simulatedOf()).toEqual({ url, pages: url });
    expect(await simulatedOf('/simulator/')).toEqual({ url, pages: '/simulator' });
  });

  it('are of one of both, and pages are those of a simulator', async () => {
    const both = walletsInUse({ walletsFile: '/nowhere.json', walletSimulatorUrl: url });
    await expect(both).rejects.toThrow('a simulator plays them all');
    await expect(walletsInUse({ walletPagesUrl: '/simulator' })).rejects.toThrow('is not set');
  });
});
