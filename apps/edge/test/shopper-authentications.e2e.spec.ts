import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShopperAnswer } from '@sluice/contracts';
import { ScriptedEdge } from './scripted-edge.js';

const edge = new ScriptedEdge();
beforeAll(async () => {
  await edge.start();
});
afterAll(() => edge.close());

const ID = '01a20b50e02a829899c0bc7076013f60';
const shopperResultUrl = 'https://shop.example/result';
const toIssuer = {
  ...({ url: 'https://acs.example/challenge', method: 'POST' } as const),
  parameters: { creq: 'eyJ9', threeDSSessionData: ID },
} as const;
const look = {
  ...({ url: 'http://127.0.0.1:9/3ds/method?x=1', method: 'POST' } as const),
  ...{ origin: 'iframe#hidden', waitUntil: 'iframe#load' },
  parameters: { threeDSMethodData: 'eyJ"><b>' },
} as const;

/** What payments and risk are asked, and what each of them answers. */
let asked: [query: string, parameters: object][] = [];
function answering(answer: ShopperAnswer | { readonly kind: string }): void {
  edge.script.shopper = (query, parameters) => {
    asked.push([query, parameters]);
    return answer;
  };
}
beforeEach(() => {
  edge.reset();
  asked = [];
});

interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
}

async function visit(path: string, { method = 'GET', body }: Sent = {}) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const target = `${edge.url}/redirects/${ID}${path}`;
  const sent = {
    method,
    redirect: 'manual',
    ...(body !== undefined && { body, headers }),
  } as const;
  const response = await fetch(target, sent);
  return {
    status: response.status,
    text: await response.text(),
    header: (name: string) => response.headers.get(name),
  };
}

const ours = () => ({
  redirect: {
    ...({ url: `${edge.url}/redirects/${ID}`, method: 'GET', parameters: {} } as const),
    preconditions: [look],
  },
  shopperResultUrl,
});

describe('a shopper whose issuer asks', () => {
  it('is sent there with the question', async () => {
    answering({ redirect: toIssuer, shopperResultUrl });
    const { status, text } = await visit('');
    expect(status).toBe(200);
    expect(text).toContain('<form method="post" action="https://acs.example/challenge">');
    expect(text).toContain('<input type="hidden" name="creq" value="eyJ9" />');
    expect(text).toContain(`name="threeDSSessionData" value="${ID}"`);
  });

  it('brings back what the issuer says, which is handed on as it came', async () => {
    answering({ shopperResultUrl });
    const body = `cres=${encodeURIComponent('eyJ0<x>+/=')}&threeDSSessionData=${ID}`;
    const { status, header } = await visit('/return', { method: 'POST', body });
    expect([status, header('location')]).toEqual([
      ...[303, `${shopperResultUrl}?id=${ID}&resourcePath=%2Fv1%2Fpayments%2F${ID}`],
    ]);
    expect(asked).toEqual([
      ['payments.shopperReturn', { transactionId: ID, challengeResponse: 'eyJ0<x>+/=' }],
    ]);
  });

  it.each([
    ['nothing', {}],
    ['something else', { method: 'POST', body: 'PaRes=x' }],
    ['more than is read', { method: 'POST', body: `cres=${'x'.repeat(2_000_000)}` }],
    ['more than any issuer says', { method: 'POST', body: `cres=${'x'.repeat(100_001)}` }],
  ] as const)('comes back with %s, and goes on as well', async (_, sent) => {
    answering({ shopperResultUrl });
    expect((await visit('/return', sent)).status).toBe(303);
    expect(asked).toEqual([['payments.shopperReturn', { transactionId: ID }]]);
  });
});

describe('a shopper whose issuer looks at the browser first', () => {
  it('has it looked at in a frame that nobody sees, and goes on then', async () => {
    answering(ours());
    const { status, text, header } = await visit('');
    expect(status).toBe(200);
    expect(text).toContain('<iframe hidden name="before-0"');
    expect(text).toContain(`action="${look.url}" target="before-0"`);
    expect(text).toContain('name="threeDSMethodData" value="eyJ&quot;&gt;&lt;b&gt;"');
    expect(text).toContain('href="?waits=1"');
    const policy = header('content-security-policy');
    expect(policy).toContain("frame-src 'self' https: http://127.0.0.1:9;");
    expect(policy).toContain("default-src 'none'");
    expect(header('refresh')).toBeNull();
  });

  it('is looked at once, and waits then for the answer', async () => {
    answering(ours());
    const { text, header } = await visit('?waits=1');
    expect(asked).toEqual([['payments.redirect', { transactionId: ID, isPrepared: true }]]);
    expect(text).not.toContain('iframe');
    expect(text).toContain('role="status"');
    expect(header('refresh')).toBe('2;url=?waits=2');
  });

  it('goes back to the shop where that takes too long', async () => {
    answering(ours());
    const { status, header } = await visit('?waits=30');
    expect([status, header('location')?.startsWith(shopperResultUrl)]).toEqual([303, true]);
  });

  it.each(['?waits=-1', '?waits=x', '?waits=1.5', '?else=1'])('begins at %s', async (query) => {
    answering(ours());
    expect((await visit(query)).text).toContain('<iframe hidden');
  });
});

describe('a shopper whose payment is just being asked about', () => {
  it('waits on a page that comes again', async () => {
    answering({ ...ours(), isAsked: true });
    expect((await visit('?waits=3')).header('refresh')).toBe('2;url=?waits=4');
    for (const undecided of [{ shopperResultUrl }, ours()]) {
      answering({ ...undecided, isAsked: true });
      expect((await visit('')).header('refresh')).toBe('2;url=?waits=1');
    }
  });

  it('is told to try again where nobody knows the shop, and nobody answers', async () => {
    answering({ isAsked: true });
    const { status, text } = await visit('?waits=30');
    expect([status, text.includes('try again')]).toEqual([503, true]);
  });
});

describe('a shopper on the way', () => {
  it('is answered once, and counted as one who guesses only where there is nothing', async () => {
    answering(ours());
    for (let times = 0; times < 20; times += 1) expect((await visit('?waits=1')).status).toBe(200);
    expect(edge.logged.join()).not.toContain('already sent');
  });
});

describe('the frame of an issuer', () => {
  it('says that it is done, which risk is told', async () => {
    answering({});
    const { status, text, header } = await visit('/method', {
      ...{ method: 'POST', body: 'threeDSMethodData=eyJ0In0' },
    });
    expect([status, asked]).toEqual([
      ...[200, [['risk.methodDone', { authenticationId: ID, methodData: 'eyJ0In0' }]]],
    ]);
    expect(text).toContain("parent.postMessage({ kind: 'prepared' }, '*')");
    expect(header('content-security-policy')).not.toContain('frame-ancestors');
  });

  it('is nobody’s for an id that nobody knows', async () => {
    answering({ kind: 'notFound' });
    const { status } = await visit('/method', { method: 'POST', body: 'threeDSMethodData=x' });
    expect(status).toBe(404);
    expect((await visit('/method')).status).toBe(404);
  });
});
