import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  callbackOption,
  listOption,
  numberOption,
  pageCallback,
  readWalletOptions,
  textAmong,
  textOption,
  wordOption,
} from './wallet-options.js';

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  const note = (text: unknown) => void said.push(String(text));
  jest.spyOn(console, 'warn').mockImplementation(note);
  jest.spyOn(console, 'error').mockImplementation(note);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const readers = {
  ...{ name: textOption, networks: listOption, onCancel: callbackOption },
  ...{ color: wordOption('black', 'white'), radius: numberOption(0, 100) },
};
const read = (given: Readonly<Record<string, unknown>> | undefined) =>
  readWalletOptions('googlePay', given, readers);

describe("a wallet's options", () => {
  it('are used as they are given', () => {
    const given = { name: 'Shop', networks: ['VISA'], color: 'white', radius: 4, none: undefined };
    expect(read(given)).toEqual({ name: 'Shop', networks: ['VISA'], color: 'white', radius: 4 });
    expect(read(undefined)).toEqual({});
    expect(said).toEqual([]);
  });

  it.each([
    [{ name: 1 }, 'name is a text.'],
    [{ name: '' }, 'name is a text.'],
    [{ networks: 'VISA' }, 'networks is a list of texts.'],
    [{ networks: [] }, 'networks is a list of texts.'],
    [{ networks: [1] }, 'networks is a list of texts.'],
    [{ onCancel: 1 }, 'onCancel is a function.'],
    [{ color: 'red' }, 'color is one of black, white.'],
    [{ radius: 101 }, 'radius is a number from 0 to 100.'],
    [{ radius: '4' }, 'radius is a number from 0 to 100.'],
    [{ amount: '1.00' }, 'amount says what the checkout says'],
    [{ lineItems: [] }, 'lineItems says what the checkout says'],
    [{ emailRequired: true }, 'emailRequired asks for nothing'],
    [{ submitOnPaymentAuthorized: [] }, 'submitOnPaymentAuthorized asks for nothing'],
    [{ onPaymentDataChanged: 1 }, 'onPaymentDataChanged is not called'],
    [{ strange: 1 }, 'strange is not served yet.'],
    [{ constructor: 1 }, 'constructor is not served yet.'],
  ])('are told of where they have no effect: %j', (given, sentence) => {
    expect(read(given)).toEqual({});
    expect(said).toEqual([expect.stringContaining(`Sluice: wpwlOptions.googlePay.${sentence}`)]);
  });

  it('may have an effect in part', () => {
    const part = () => ({ used: 1, idle: 'is used in part' });
    expect(readWalletOptions('applePay', { a: 1 }, { a: part })).toEqual({ a: 1 });
    expect(said).toEqual(['Sluice: wpwlOptions.applePay.a is used in part.']);
  });

  it('have texts among them', () => {
    expect([textAmong({ a: 'b' }, 'a'), textAmong({ a: 1 }, 'a')]).toEqual(['b', undefined]);
  });

  it("have a callback, whose failure is the page's", () => {
    expect(pageCallback('applePay', {})).toBeUndefined();
    let calls = 0;
    pageCallback('applePay', { onCancel: () => (calls += 1) })?.();
    const fail = () => {
      throw new Error('no');
    };
    pageCallback('applePay', { onCancel: fail })?.();
    expect([calls, said]).toEqual([1, ['Sluice: wpwlOptions.applePay.onCancel has failed.']]);
  });
});
