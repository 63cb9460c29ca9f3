import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from './command-line.js';
import { assertConsistent } from './consistent-settings.js';
import { sandboxFlags, SandboxSettings } from './sandbox-settings.js';

const ROOT = new URL('../../../', import.meta.url);
const FOLDERS = ['docs/how-to/', 'docs/tutorial/'];
/** Their flags are those of other commands: the operator's, the cluster's, those of Kubernetes. */
const OTHER_COMMANDS = [
  'add-a-cell.md',
  'build-images.md',
  'deploy-to-kubernetes.md',
  'follow-a-payment.md',
  'hear-of-changes.md',
  'keys-and-certificates-on-kubernetes.md',
  'move-shards-between-cells.md',
  'replay-a-projection.md',
  'restore-a-database.md',
  'run-the-cluster.md',
  'scale.md',
  'stop-fraud-with-rules.md',
  'take-time-in-hand.md',
  'try-what-happens.md',
  'upgrade.md',
  'watch-sluice.md',
];
/** Code between single backticks; the fences of blocks are emptied before. */
const CODE_SPAN = /`([^`\n]{1,500})`/g;
const CODE_BLOCK = /^```[a-z]*\n([^`]*)^```$/gm;
/** In the repository, and from the package: the flags are the same. */
const START = /^(?:npm start|npx sluice-sandbox)(?: --(?= ))?/;
const command = {
  usage: 'npm start --',
  description: '',
  settings: SandboxSettings,
  flags: sandboxFlags,
  shownFolder: '',
};

interface Documented {
  readonly page: string;
  /** What follows `npm start --`, or a list of flags to be put there. */
  readonly words: readonly string[];
}

/** Everything in the page that is typed after the command. */
function commandsOf(page: string): Documented[] {
  const text = readFileSync(new URL(page, ROOT), 'utf8');
  const blocks = [...text.matchAll(CODE_BLOCK)].map(([, block = '']) => block);
  const spans = [...text.replaceAll(CODE_BLOCK, '').matchAll(CODE_SPAN)];
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  return [...lines, ...spans.map(([, span = '']) => span)]
    .map((line) => line.split('#', 1)[0]?.trim() ?? '')
    .filter((line) => START.test(line) || line.startsWith('--'))
    .map((line) => line.replace(START, '').trim())
    .map((line) => ({ page, words: line === '' ? [] : line.split(/\s+/) }));
}

const pages = [
  'README.md',
  ...FOLDERS.flatMap((folder) =>
    readdirSync(fileURLToPath(new URL(folder, ROOT)))
      .filter((name) => name.endsWith('.md') && !OTHER_COMMANDS.includes(name))
      .map((name) => folder + name),
  ),
];
const documented = pages.flatMap(commandsOf);
const isMention = ({ words }: Documented): boolean =>
  words[0] !== '--help' && words.filter((word) => word.startsWith('--')).length === 1;

describe('what the pages tell people to type', () => {
  it('is found', () => {
    const fast = documented.find(({ words }) => words.includes('--inquire-after'));
    expect(fast?.page).toBe('docs/how-to/sandbox-in-your-tests.md');
    expect(documented.some(({ words }) => words.includes('--seed'))).toBe(true);
    expect(documented.some(({ words }) => words.length === 0)).toBe(true);
  });

  it.each(documented.filter((command) => !isMention(command)))(
    '$page: npm start -- $words is accepted',
    ({ words }) => {
      const result = readCommandLine(command, words, {});
      if (result.kind === 'help') return;
      if (result.kind === 'refused') throw new Error(result.reason);
      expect(() => {
        assertConsistent(result.wish);
      }).not.toThrow();
    },
  );

  it('names only flags that there are', () => {
    const names = sandboxFlags.map(({ flag }) => flag.split(' ', 1)[0]);
    const unknown = documented
      .filter(isMention)
      .flatMap(({ words }) => words.filter((word) => word.startsWith('--')))
      .filter((word) => !names.includes(word));
    expect(unknown).toEqual([]);
  });
});
