import { describe, expect, it } from '@jest/globals';
import { serviceNames, serviceRow } from '@sluice/contracts';
import { apps, declarations } from './apps.js';

describe('the list of apps', () => {
  it('has every service of the table, in its order', () => {
    expect(Object.keys(apps)).toEqual(serviceNames);
  });

  it('loads what each app declares: migrations where its row says that it keeps tables', async () => {
    const all = await declarations();
    for (const name of serviceNames) {
      expect([name, all[name].migrations !== undefined]).toEqual([
        name,
        serviceRow(name).keepsTables === true,
      ]);
    }
  });
});
