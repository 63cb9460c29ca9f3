import { afterAll, expect, it } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import { PlainShopper, returnIn, SHOP } from './authentication-fixture.js';
import type { PlainForm } from './plain-browser.js';
import { endSandboxes, newFolder, start, START_WITHIN_MS } from './started-sandboxes-fixture.js';

const CHALLENGED = { brand: 'VISA', number: '4200000000000018' } as const;

afterAll(endSandboxes, START_WITHIN_MS);

it(
  'a shopper who is asked while the sandbox is started again reads so, and comes back to the shop',
  async () => {
    const folder = newFolder();
    let sandbox: SandboxProcess = await start(folder);
    const shopper = new PlainShopper(() => sandbox);
    const payment = await shopper.pay(CHALLENGED);
    const [question] = (await shopper.go(payment)).forms;
    if (question === undefined) throw new Error('Nobody asks.');
    const before = sandbox.url;
    await sandbox.kill();
    sandbox = await start(folder);
    // It would be found at the same address, were it no test.
    const moved = ({ url, fields }: PlainForm) => ({
      ...{ url: url.replace(before, sandbox.url), fields },
    });

    const forgotten = await shopper.browser.submit(moved(question), { answer: '123456' });
    expect(forgotten.text).toContain('It was started again while it asked you');
    const way = returnIn(forgotten);
    if (way === undefined) throw new Error('Nothing leads back.');
    const back = await shopper.browser.submit(moved(way));
    expect(back.url).toContain(`${SHOP}?id=${payment.id}`);
    // Nothing has been confirmed, and nothing will be.
    const read = await shopper.read(payment.id);
    expect(read.result.code).toBe('000.200.000');
  },
  START_WITHIN_MS,
);
