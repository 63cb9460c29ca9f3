import { describe, expect, it } from '@jest/globals';
import { testSandbox } from '@sluice/testing';

const sandbox = testSandbox();

interface TriedRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly fields: readonly [string, string][];
}

/** What the page's own script works with. */
async function pageOf(url: string): Promise<{ token: string; requests: TriedRequest[] }> {
  const text = await (await fetch(url)).text();
  const block = /id="try-requests">(.*?)<\/script>/s.exec(text)?.[1] ?? '[]';
  const token = /id="try-token"\s+value="([^"]*)"/.exec(text)?.[1] ?? '';
  return { token, requests: JSON.parse(block) as TriedRequest[] };
}

describe('the reference of a sandbox', () => {
  let page: Awaited<ReturnType<typeof pageOf>>;

  /** Sends an example as the page does; answers id and result code. */
  async function send(name: string, id = ''): Promise<{ id: string; code: string }> {
    const request = page.requests.find((each) => each.name === name);
    if (request === undefined) throw new Error(`the page has no example ${name}`);
    const { method, path, fields } = request;
    const sent = new URLSearchParams(Object.fromEntries(fields));
    const url = `${sandbox.url}${path.replace('{id}', id)}`;
    const headers = { Authorization: `Bearer ${page.token}` };
    const response =
      method === 'GET'
        ? await fetch(`${url}?${sent.toString()}`, { headers })
        : await fetch(url, { method, headers, body: sent });
    const answer = (await response.json()) as { id: string; result: { code: string } };
    return { id: answer.id, code: answer.result.code };
  }

  it('is named below the command to copy', async () => {
    expect(sandbox.output()).toMatch(new RegExp(`^Reference: ${sandbox.url}/docs$`, 'm'));
    page = await pageOf(`${sandbox.url}/docs`);
    expect(page.token).not.toBe('');
  });

  it('has examples that pay as they stand', async () => {
    for (const name of ['debit', 'detailed', 'credit']) {
      expect([name, (await send(name)).code]).toEqual([name, '000.100.110']);
    }
    expect((await send('declined')).code).toBe('800.100.155');
    expect((await send('refused')).code).toBe('200.300.404');
  });

  it('has examples for what follows a payment', async () => {
    const debit = await send('debit');
    expect((await send('refund', debit.id)).code).toBe('000.100.110');
    const reserved = await send('authorization');
    expect((await send('capture', reserved.id)).code).toBe('000.100.110');
    const other = await send('authorization');
    expect((await send('reversal', other.id)).code).toBe('000.100.110');
    expect(await send('read', debit.id)).toEqual({ id: debit.id, code: '000.100.110' });
  });
});
