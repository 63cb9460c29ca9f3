import { describe, expect, it } from '@jest/globals';
import { format, inspect } from 'node:util';
import { AccessToken, Detail, WebhookSecret } from './secret.js';

const value = '4200000000000000';

describe.each([
  ['Detail', new Detail(value)],
  ['AccessToken', new AccessToken(value)],
  ['WebhookSecret', new WebhookSecret(value)],
])('%s', (_, secret) => {
  it('gives its value when it is asked to', () => {
    expect(secret.reveal()).toBe(value);
  });

  it.each([
    ['as text', () => String(secret)],
    ['in a template', () => `card ${secret.toString()}`],
    ['joined to a text', () => ['', secret].join('')],
    ['as JSON', () => JSON.stringify({ secret })],
    ['inspected', () => inspect({ secret }, { depth: 5, showHidden: true })],
    ['formatted', () => format('%s %o %j', secret, secret, secret)],
    ['in an error', () => new Error(String(secret)).stack ?? ''],
    ['by its keys', () => JSON.stringify(Object.entries(Object.assign({}, secret)))],
    ['by its names', () => Object.getOwnPropertyNames(secret).join()],
    ['cloned', () => inspect(structuredClone(secret), { depth: 5, showHidden: true })],
  ])('never prints it %s', (_way, print) => {
    expect(print()).not.toContain(value.slice(0, 7));
  });

  it('is never a number by accident', () => {
    expect(Number(secret)).toBeNaN();
  });
});
