import { jposFolder, look, type PrerequisiteName, sentenceOf } from '@sluice/prerequisites';
import { run } from '@sluice/prerequisites/run';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROJECT_FILE = fileURLToPath(new URL('jpos-host/pom.xml', import.meta.url));
const SOURCE_FILE = fileURLToPath(new URL('jpos-host/Host.java', import.meta.url));

/** Maven comes first, and once for all; the compiler takes some seconds. */
export const HOST_START_WITHIN_MS = 180_000;

/** What it speaks: agreements between the two sides. */
interface SpokenByHost {
  /** Of the standard; absent: 1987. */
  readonly version?: '1987' | '1993';
  /** How messages are written; absent: in characters. */
  readonly encoding?: 'ascii' | 'binary';
}

/** One transaction in the host's book. */
export interface Booking {
  readonly status: 'booked' | 'reversed';
  readonly reference: string;
  readonly type: string;
  readonly amount: string;
  readonly currency: string;
  /** As its card said it, so that of 1987 in either version. */
  readonly code: string;
}

/** Whether the host has taken the money, and kept it. */
export function isCharge({ status, code }: Booking): boolean {
  return status === 'booked' && code === '00';
}

/** A message as jPOS understands it. */
interface ReadMessage {
  readonly type: string;
  /** By number; bytes as hex digits. */
  readonly fields: ReadonlyMap<number, string>;
  readonly written: Buffer;
}

/** The acquirer's host, which jPOS makes of ISO 8583, in a process of its own. */
export interface JposHost {
  /** With the scheme of the proxy's addresses. */
  readonly url: string;
  readonly port: number;
  book(): Promise<readonly Booking[]>;
  /** References that had the key of another one. */
  collisions(): Promise<readonly string[]>;
  /** What jPOS reads in a message, and the message as jPOS writes it. */
  readAndWritten(message: Buffer): Promise<ReadMessage>;
  /** Ends it at once and starts it on the same port, with the book of its file. */
  restart(): Promise<void>;
  /** Ends it and removes its book. */
  stop(): Promise<void>;
}

/**
 * Starts one with an empty book. Where Java, its compiler or Maven are missing it rejects with the
 * sentence that says how to get them: specs are not skipped.
 */
export async function startJposHost(spoken: SpokenByHost = {}): Promise<JposHost> {
  const classPath = await compiledHost();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-jpos-'));
  const start = (port: number) => startProcess(classPath, port, join(folder, 'ledger'), spoken);
  let host = await start(0);
  const end = async (): Promise<void> => {
    const { child } = host;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const lines = async (): Promise<readonly string[]> => {
    const answer = await fetch(`http://127.0.0.1:${String(host.ledgerPort)}/ledger`);
    return (await answer.text()).split('\n').filter((line) => line !== '');
  };
  return {
    url: `http://127.0.0.1:${String(host.port)}`,
    port: host.port,
    book: async () => (await lines()).filter((line) => !line.startsWith('coll')).map(bookingIn),
    collisions: async () =>
      (await lines()).filter((line) => line.startsWith('coll')).map((line) => line.slice(10)),
    readAndWritten: async (message) => {
      const answer = await fetch(`http://127.0.0.1:${String(host.ledgerPort)}/message`, {
        method: 'POST',
        body: new Uint8Array(message),
      });
      return messageIn(await answer.text());
    },
    restart: async () => {
      await end();
      host = await start(host.port);
    },
    stop: async () => {
      await end();
      await rm(folder, { recursive: true });
    },
  };
}

/** Its type and the whole in hex digits on the first line, then a line for each field. */
function messageIn(text: string): ReadMessage {
  const [first = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const [type = '', written = ''] = first.split('\t');
  const fields = lines.map((line): [number, string] => {
    const [number = '', value = ''] = line.split('\t');
    return [Number(number), value];
  });
  return { type, fields: new Map(fields), written: Buffer.from(written, 'hex') };
}

function bookingIn(line: string): Booking {
  const [status = '', reference = '', type = '', amount = '', currency = '', code = ''] =
    line.split('\t');
  return { status: status as Booking['status'], reference, type, amount, currency, code };
}

interface HostProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly ledgerPort: number;
}

async function startProcess(
  classPath: string,
  port: number,
  ledger: string,
  { version = '1987', encoding = 'ascii' }: SpokenByHost,
): Promise<HostProcess> {
  const java = await commandOf('java');
  // It is started often and lives shortly: quick to start counts for more than quick.
  const options = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];
  const words = [...options, '-cp', classPath, 'Host', String(port), ledger, version, encoding];
  const child = spawn(java, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) {
    const [, own, ledgerPort] = /^ports ([0-9]+) ([0-9]+)$/u.exec(line) ?? [];
    if (own !== undefined) return { child, port: Number(own), ledgerPort: Number(ledgerPort) };
  }
  throw new Error('the host ended before it was ready');
}

/** The class path of the compiled host: jars and classes in the user's cache folder. */
async function compiledHost(): Promise<string> {
  const folder = jposFolder();
  if (!existsSync(join(folder, 'libs'))) await into(folder, copyJars);
  const jars = join(folder, 'libs', '*');
  const { printed = '' } = await look('javac');
  const print = createHash('sha256').update(printed).update(readFileSync(SOURCE_FILE));
  const classes = join(folder, `classes-${print.digest('hex').slice(0, 16)}`);
  if (!existsSync(classes)) {
    const compiler = await commandOf('javac');
    await into(classes, (made) =>
      run(compiler, ['-nowarn', '-cp', jars, '-d', made, SOURCE_FILE], made),
    );
  }
  return [classes, jars].join(':');
}

async function copyJars(folder: string): Promise<void> {
  await copyFile(PROJECT_FILE, join(folder, 'pom.xml'));
  const goal = ['-q', '-B', 'dependency:copy-dependencies'];
  const options = [`-DoutputDirectory=${join(folder, 'libs')}`, '-DincludeScope=runtime'];
  await run(await commandOf('mvn'), [...goal, ...options], folder);
}

/** Makes a folder; of two processes that do so at once the first one's stays. */
async function into(folder: string, make: (made: string) => Promise<unknown>): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const made = await mkdtemp(`${folder}-`);
  try {
    await make(made);
    await rename(made, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function commandOf(name: PrerequisiteName): Promise<string> {
  const found = await look(name);
  if (found.problem !== undefined || found.command === undefined)
    throw new Error(sentenceOf(found));
  return found.command;
}
