import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '../../projects.mjs';

const script = readFileSync(join(workspaceRoot, '.ci/run'), 'utf8');
const FIRST_STEP = script.indexOf('step test ');
const END = script.indexOf('cat "$endings"\n');

/** The script of CI with other steps, in a folder of its own. */
describe('steps that run side by side', () => {
  let root: string;
  const file = (name: string): string => join(root, name);
  const write = (steps: readonly string[]): void => {
    const text = `${script.slice(0, FIRST_STEP)}${steps.join('\n')}\n${script.slice(END)}`;
    writeFileSync(file('.ci/run'), text);
  };
  const run = (...names: string[]): { code: number | null; out: string } => {
    const env = { ...process.env, CI: '' };
    const options = { cwd: root, encoding: 'utf8', env, timeout: 15_000 } as const;
    const { status, stdout } = spawnSync('bash', ['.ci/run', ...names], options);
    return { code: status, out: stdout };
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sluice-ci-'));
    for (const folder of ['.ci', 'tools']) mkdirSync(file(folder));
    writeFileSync(file('tools/ensure-packages.mjs'), '');
  });
  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('each wait for another one, so there are several at once', () => {
    spawnSync('mkfifo', [file('there'), file('back')]);
    const first = 'step first bash -c "echo over >there; cat back"';
    const second = 'step second bash -c "cat there; echo heard >back"';
    write(['side_by_side=true', first, second, 'end_side_by_side']);
    const { code, out } = run();
    expect(code).toBe(0);
    expect(out).toMatch(/=== first said:\nheard\n\n=== second said:\nover\n/);
    expect(out).toMatch(/\n2 passed, 0 failed\n$/);
  });

  it('are never four at once', () => {
    // Each takes one of three places while it works; who finds none is the fourth.
    const work = 'for i in {1..100}; do env true; done';
    const busy = (name: string): string =>
      `step ${name} bash -c 'for m in a b c; do mkdir $m && break; m=; done; [ $m ] || exit 1; ${work}; rmdir $m'`;
    const steps = ['one', 'two', 'three', 'four', 'five', 'six'].map(busy);
    write(['side_by_side=true', ...steps, 'end_side_by_side']);
    expect(run().out).toMatch(/\n6 passed, 0 failed\n$/);
  });

  it('fail alone, and what a failed one said stands at the end; its tests count', () => {
    write([
      'side_by_side=true',
      'step broken bash -c "echo why; exit 3"',
      'step killed bash -c "kill -9 0"',
      'step tested echo "7 passed, 1 failed"',
      'end_side_by_side',
      'step last true',
    ]);
    const { code, out } = run();
    expect(code).toBe(1);
    expect(out).toMatch(/=== broken FAILED; its last 120 lines:\nwhy\n/);
    expect(out).toMatch(
      /broken {7}FAILED .*\nkilled {7}FAILED .*\ntested {7}passed .*\nlast {9}passed .*\n\n9 passed, 3 failed\n$/,
    );
    expect(run('tested', 'last').out).toMatch(/\n9 passed, 1 failed\n$/);
  });

  it.each(['of a person', 'of CI'])('end with whoever breaks off the run %s', async (whose) => {
    spawnSync('mkfifo', [file('held')]);
    write([
      `was_ci=${String(whose === 'of CI')}`,
      'side_by_side=true',
      'step endless bash -c "exec 3>held; echo $place >&3; tail -f /dev/null"',
      'end_side_by_side',
    ]);
    const env = { ...process.env, CI: '' };
    const ci = spawn('bash', ['.ci/run'], { cwd: root, stdio: 'ignore', env });
    // It ends when nobody has the other side open any more.
    const held = createReadStream(file('held'), 'utf8');
    const [place] = (await once(held, 'data')) as [string];
    expect(existsSync(place.trim())).toBe(true);
    const gone = [once(ci, 'exit'), once(held, 'end')];
    held.resume();
    ci.kill('SIGTERM');
    await Promise.all(gone);
    expect(existsSync(place.trim())).toBe(false);
  });

  it.each(['true', 'false'])('that hang in CI end and fail (side by side: %s)', (isSideBySide) => {
    write([
      ...['was_ci=true', 'HANGS_AFTER=0.2s', `side_by_side=${isSideBySide}`],
      // What it has started holds what it printed open, too.
      'step endless bash -c "tail -f /dev/null & wait"',
      'end_side_by_side',
      'step last true',
    ]);
    const { code, out } = run();
    expect(code).toBe(1);
    expect(out).toContain('It was ended: it had not ended by itself after 0.2s.');
    expect(out).toMatch(/endless {6}FAILED .*\nlast {9}passed .*\n\n1 passed, 1 failed\n$/);
  });
});
