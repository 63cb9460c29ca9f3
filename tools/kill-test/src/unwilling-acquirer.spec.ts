import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UnwillingAcquirer } from './unwilling-acquirer.js';

const MASTER = { number: '5454545454545454' };
const VISA = { number: '4200000000000000' };
let acquirer: UnwillingAcquirer;

beforeEach(async () => {
  acquirer = new UnwillingAcquirer();
  await acquirer.start();
  await acquirer.stay();
});
afterEach(() => acquirer.close());

async function ask(path: string, body?: object): Promise<readonly [status: number, said: object]> {
  const posted = body && { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${acquirer.address}/transactions${path}`, posted);
  return [response.status, (await response.json()) as object];
}

describe('the acquirer that takes nothing', () => {
  it('declines what its issuer advises about, and says so again', async () => {
    const declined = {
      ...{ reference: 'one', status: 'declined', resultCode: '800.100.190' },
      ...{ resultDetails: { MerchantAdviceCode: '22' } },
    };
    expect(await ask('', { reference: 'one', card: MASTER })).toMatchObject([200, declined]);
    expect(await ask('/one')).toMatchObject([200, declined]);
    expect(acquirer.asked).toEqual([{ reference: 'one', answer: 'declined' }]);
  });

  it('refuses everything else, and knows nothing of it', async () => {
    const [status, said] = await ask('', { reference: 'one', card: VISA });
    expect([status, said]).toMatchObject([400, { reference: 'one', error: {} }]);
    const notFound = [404, { reference: 'one', status: 'notFound' }];
    expect(await ask('/one')).toEqual(notFound);
    expect(await ask('/one/reversal', {})).toEqual(notFound);
    expect(acquirer.asked).toEqual([{ reference: 'one', answer: 'refused' }]);
  });

  it('cannot be reached while it is away', async () => {
    acquirer.close();
    await expect(ask('/one')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await acquirer.stay();
    expect(await ask('/one')).toMatchObject([404, {}]);
  });
});
