// Loaded into a process by `--import`: its clock of the day jumps by as many milliseconds as the file
// named in JUMPING_CLOCK_FILE says, as it does when somebody sets it. Monotonic time goes on.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setInterval } from 'node:timers';

const LOOK_EVERY_MS = 100;
const file = process.env.JUMPING_CLOCK_FILE;
if (file === undefined) throw new Error('JUMPING_CLOCK_FILE names no file.');
const RealDate = globalThis.Date;
const realNow = RealDate.now.bind(RealDate);
let jumpMs = 0;
setInterval(() => {
  jumpMs = Number(readFileSync(file, 'utf8'));
}, LOOK_EVERY_MS).unref();

const now = () => realNow() + jumpMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, words, newTarget) =>
    Reflect.construct(target, words.length === 0 ? [now()] : words, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
