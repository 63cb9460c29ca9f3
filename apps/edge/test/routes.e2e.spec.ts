import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiDocument } from '@sluice/parameters';
import { codes } from '@sluice/result-codes';
import { ScriptedEdge } from './scripted-edge.js';

type Operation = { readonly security?: readonly unknown[] };

const { paths } = openApiDocument() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== 'parameters')
    .map(([method, { security }]) => {
      return { method: method.toUpperCase(), path, isOpen: security?.length === 0 };
    }),
);

/** A route forgotten by whoever decides about access would be open to everybody, or to nobody. */
describe('every operation', () => {
  const edge = new ScriptedEdge();

  beforeAll(() => edge.start());
  afterAll(() => edge.close());

  it.each(operations)('$method $path: open to everybody is $isOpen', async (operation) => {
    const { method, path, isOpen } = operation;
    const { status } = await fetch(edge.url + path.replace('{id}', 'a'.repeat(32)), { method });
    // What is open to shoppers has to be of a checkout that there is.
    const openStatus = path.includes('/checkouts/') ? 400 : 200;
    expect(status).toBe(isOpen ? openStatus : 401);
    expect(edge.done.at(-1)?.status).toBe(status);
  });

  it.each(Object.keys(paths))('%s: a method that is not served has its own code', async (path) => {
    const target = edge.url + path.replace('{id}', 'a'.repeat(32));
    const response = await fetch(target, { method: 'PUT' });
    const body = (await response.json()) as { result: { code: string } };
    expect(body.result.code).toBe(codes.methodNotAllowed);
  });
});
