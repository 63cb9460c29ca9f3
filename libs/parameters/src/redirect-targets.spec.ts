import { describe, expect, it } from '@jest/globals';
import { absoluteUrl } from './formats.js';

const CR = '\r';
const LF = '\n';
const TAB = '\t';
const NUL = '\u0000';

/** What a browser must never be sent to: it would run something, or go to another site than it says. */
const refused = [
  // Schemes that run or read something in place, however they are written.
  ...[
    'javascript:alert(1)',
    'javascript://alert(1)',
    'JavaScript://x/%0aalert(1)',
    'JAVASCRIPT:x()',
  ],
  ...[
    `java${TAB}script:alert(1)`,
    `java${LF}script:alert(1)`,
    `java${CR}script://x`,
    ' javascript:x',
  ],
  ...[
    `${NUL}javascript:x`,
    'javascript&colon;alert(1)',
    'javascript:%61lert(1)',
    'jAvAsCrIpT://%0dx',
  ],
  ...['data:text/html,x', 'data:text/html;base64,PHNjcmlwdD4=', 'DATA://text/html,x', ' data:,x'],
  ...[
    'vbscript:msgbox(1)',
    'VBScript://x',
    'file:///etc/passwd',
    'FILE://host/share',
    'file:c:\\x',
  ],
  ...[
    'blob:https://shop.example/1',
    'blob://x/1',
    'about:blank',
    'view-source:https://shop.example',
  ],
  ...['mailto:jane@shop.example', 'tel:112', 'ws:/x', 'x:y', 'urn:x:y'],
  // No scheme: another site, or ours.
  ...[
    '//evil.example',
    '//evil.example/%2f..',
    '///evil.example',
    '////evil.example',
    '/\\evil.example',
  ],
  ...['\\\\evil.example', '\\/evil.example', '/result', './result', '../result', '?x=1', '#x'],
  ...['shop.example', 'shop.example/result', 'www.shop.example:443/x', '@evil.example', ''],
  // A header that ends, or an address that does.
  ...[`https://shop.example/${CR}${LF}Set-Cookie: a=b`, `https://shop.example/${LF}x`],
  ...[
    `https://shop.example/${CR}x`,
    `https://shop.example/${TAB}x`,
    `https://shop.example/${NUL}x`,
  ],
  ...[`${LF}https://shop.example/`, `https://shop.example/${LF}`, `shop.example://${CR}${LF}x`],
  ...['https://shop.example/a b', ' https://shop.example/', 'https://shop.example/ ', 'app://a b'],
  // Backslashes and other tricks with the host.
  ...['https:\\\\evil.example', 'https:/\\evil.example', 'https://shop.example\\@evil.example/'],
  ...['https://shop.example\\.evil.example/', 'https:///evil.example', 'https:evil.example'],
  ...['https:/evil.example', 'http:\\\\\\evil.example', 'https://', 'https://?x', 'https://#x'],
  ...[
    'https://:443/',
    'https://shop..example/',
    'https://-shop.example/',
    'https://sh%0dop.example/',
  ],
  // A user that looks like a host.
  ...[
    'https://shop.example@evil.example/r',
    'https://shop.example:443@evil.example',
    'https://jane:secret@shop.example/',
    'https://@evil.example/',
    'https://shop.example%2f@evil.example/',
    'HTTPS://shop.example@evil.example',
    'shop.example://pay@evil.example/done',
  ],
];

const accepted = [
  ...[
    'https://shop.example/result',
    'http://127.0.0.1:8080/result?order=7',
    'http://localhost:3000/x',
  ],
  ...['https://shop.example:8443/a?b=c#d', 'https://my_shop.example/r', 'shop.example://result'],
  ...[
    'com.shop.app://pay/done',
    'https://shop.example/?next=%2F%2Fevil.example',
    'https://shop.example/@jane?mail=jane@shop.example#a@b',
    'https://[::1]:80/x',
  ],
];

describe('where a shopper may be sent back to', () => {
  it('has been tried with enough that is wrong', () => {
    expect(new Set(refused).size).toBeGreaterThanOrEqual(60);
  });

  it.each(refused)('is not %j', (url) => {
    expect(absoluteUrl.accepts(url)).toBe(false);
  });

  it.each(accepted)('may be %j', (url) => {
    expect(absoluteUrl.accepts(url)).toBe(true);
  });
});
