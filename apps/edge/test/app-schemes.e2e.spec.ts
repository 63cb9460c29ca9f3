import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { debit, post } from './http-client.js';
import { directory, entityId, ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
const { nodes, ...others } = directory();
const withApp = nodes.map((node) =>
  node.id === entityId ? { ...node, appSchemes: ['com.shop.app'] } : node,
);
beforeAll(() => {
  edge.script.directory = { directory: { ...others, nodes: withApp } };
  return edge.start();
});
afterAll(() => edge.close());
beforeEach(() => edge.reset());

const pay = (shopperResultUrl: string) =>
  post(`${edge.url}/v1/payments`, { ...debit, shopperResultUrl });

describe('the address that a shopper comes back to (S-RED-01)', () => {
  it.each(['https://shop.example/result', 'com.shop.app://result'])('may be %s', async (url) => {
    expect((await pay(url)).status).toBe(200);
  });

  it.each(['com.other.app://result', 'intent://x', 'ftp://shop.example/result'])(
    'is refused by name: %s',
    async (url) => {
      const { status, body } = await pay(url);
      expect([status, body.result.code]).toEqual([400, '200.300.404']);
      expect(body.result.parameterErrors).toMatchObject([{ name: 'shopperResultUrl' }]);
      expect([edge.commands, edge.held]).toEqual([[], []]);
    },
  );
});
