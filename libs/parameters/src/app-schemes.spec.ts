import { describe, expect, it } from '@jest/globals';
import { unregisteredScheme } from './app-schemes.js';
import type { Kind } from './kinds.js';
import { formOf } from './violations-fixture.js';

const REGISTERED = ['com.shop.app', 'shop.example'];
const faults = (shopperResultUrl: string, kind: Kind = 'payment', registered = REGISTERED) =>
  unregisteredScheme(formOf({ shopperResultUrl }), kind, registered).map(({ name }) => name);

describe('where a shopper may come back to (S-RED-01)', () => {
  it.each([
    ...['https://shop.example/result', 'HTTP://shop.example', 'http://127.0.0.1:8080/x'],
    ...['com.shop.app://result', 'COM.Shop.App://result', 'shop.example://result?order=1'],
  ])('is the web, or a registered app: %s', (url) => {
    expect(faults(url)).toEqual([]);
  });

  it.each([
    ...['ftp://shop.example/x', 'ws://shop.example', 'intent://scan/#Intent;scheme=x;end'],
    ...['view-source://shop.example', 'about://blank', 'chrome://settings', 'content://x/y'],
    ...['com.shop.app.other://result', 'com.shop://result', 'shop://result', 'ms-word://x'],
  ])('is no other program: %s', (url) => {
    expect(faults(url)).toEqual(['shopperResultUrl']);
  });

  it('is the web alone where nothing is registered', () => {
    expect(faults('com.shop.app://result', 'payment', [])).toEqual(['shopperResultUrl']);
  });

  it('is asked of requests that send a shopper, once', () => {
    expect(faults('ftp://shop.example/x', 'registration')).toHaveLength(1);
    for (const kind of ['capture', 'read'] as const) {
      expect(faults('ftp://shop.example/x', kind)).toEqual([]);
    }
    // Of these the form itself is wrong, which is said elsewhere.
    for (const url of ['javascript://x', 'result']) expect(faults(url)).toEqual([]);
  });

  it('is not repeated in the error, because it is personal', () => {
    const form = formOf({ shopperResultUrl: 'shop://jane' });
    expect(JSON.stringify(unregisteredScheme(form, 'payment', []))).not.toContain('jane');
  });
});
