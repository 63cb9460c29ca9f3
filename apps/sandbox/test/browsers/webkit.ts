import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver';
import { requirePrerequisite } from '@sluice/prerequisites';
import { WebDriverBrowser } from './webdriver-browser.js';

/** The machine's own; one sentence where there is none. */
const driverPath = await requirePrerequisite('WebKitWebDriver');
const screenPath = await requirePrerequisite('Xvfb');

const SCREEN = '1280x1024x24';
const READY_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 50;
/** Where Xvfb writes which screen it is. */
const DISPLAY_DESCRIPTOR = 3;

/** WebKit on a screen of its own, by the driver that comes with it. */
export async function startWebKit(): Promise<WebDriverBrowser> {
  const screen = spawn(
    screenPath,
    ['-displayfd', String(DISPLAY_DESCRIPTOR), '-screen', '0', SCREEN, '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const running: ChildProcess[] = [screen];
  const end = async () => {
    for (const one of running.reverse()) await ended(one);
  };
  try {
    const [said] = (await once(screen.stdio[DISPLAY_DESCRIPTOR] as Readable, 'data')) as [Buffer];
    const port = await freePort();
    const env = { ...process.env, DISPLAY: `:${said.toString().trim()}` };
    running.push(spawn(driverPath, [`--port=${port}`], { stdio: 'ignore', env }));
    return new WebDriverBrowser(await sessionAt(`http://127.0.0.1:${port}`), end);
  } catch (failure) {
    await end();
    throw failure;
  }
}

/** The driver knows by itself which browser it is of. */
async function sessionAt(url: string): Promise<WebDriver> {
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  const isReady = () =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (Date.now() > giveUpAt) throw new Error('WebKitWebDriver does not answer.');
    await new Promise((again) => setTimeout(again, LOOK_EVERY_MS));
  }
  const capabilities = new Capabilities({ browserName: 'MiniBrowser' });
  return new Builder().usingServer(url).withCapabilities(capabilities).build();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
