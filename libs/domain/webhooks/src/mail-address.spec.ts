import { describe, expect, it } from '@jest/globals';
import { MAIL_ADDRESS_CHARACTERS_MAX, mailAddressOf } from './mail-address.js';

describe('an address for mails', () => {
  it.each([
    ['ops@shop.example', 'ops@shop.example'],
    ['Ops+Hooks@Shop.EXAMPLE', 'Ops+Hooks@shop.example'],
    ["o'neil_1@xn--bcher-kva.example", "o'neil_1@xn--bcher-kva.example"],
  ])('%s is one', (text, address) => {
    expect(mailAddressOf(text)).toBe(address);
  });

  it.each([
    ['nothing', ''],
    ['no address', 'ops'],
    ['a list', 'ops@shop.example,eve@evil.example'],
    ['another list', 'ops@shop.example;eve@evil.example'],
    ['two with a blank', 'ops@shop.example eve@evil.example'],
    ['a second header', 'ops@shop.example\r\nBcc: eve@evil.example'],
    ['a line break at its end', 'ops@shop.example\n'],
    ['a line break within', 'ops\r\n@shop.example'],
    ['a name with it', 'Ops <ops@shop.example>'],
    ['quotes', '"ops"@shop.example'],
    ['two signs', 'ops@eve@shop.example'],
    ['a host of one label', 'root@localhost'],
    ['a label that begins with a hyphen', 'ops@-shop.example'],
    ['a literal', 'ops@[127.0.0.1]'],
    ['a letter that looks like another', 'ops@shоp.example'],
    ['a null', 'ops@shop.example\0'],
    ['too much before the sign', `${'o'.repeat(65)}@shop.example`],
    ['too long', `ops@${'shop.'.repeat(30)}example`.slice(0, MAIL_ADDRESS_CHARACTERS_MAX + 1)],
  ])('%s is none', (_, text) => {
    expect(mailAddressOf(text)).toBeUndefined();
  });
});
