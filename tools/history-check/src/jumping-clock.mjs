// Loaded into a process by `--import=…/jumping-clock.mjs?folder=…`: its clock of the day jumps by as many
// milliseconds as the file of its process number in that folder says, as it does when somebody sets it.
// Monotonic time goes on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setInterval } from 'node:timers';

const LOOK_EVERY_MS = 100;
const folder = new URL(import.meta.url).searchParams.get('folder');
if (folder === null) throw new Error('The clock was given no folder.');
const file = join(folder, String(process.pid));
const RealDate = globalThis.Date;
const realNow = RealDate.now.bind(RealDate);
let jumpMs = 0;
setInterval(() => {
  try {
    jumpMs = Number(readFileSync(file, 'utf8'));
  } catch {
    jumpMs = 0; // nobody has set it
  }
}, LOOK_EVERY_MS).unref();

const now = () => realNow() + jumpMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, words, newTarget) =>
    Reflect.construct(target, words.length === 0 ? [now()] : words, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
