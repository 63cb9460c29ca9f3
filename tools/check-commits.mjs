// Checks every commit's first line: Conventional Commits, with the projects of the workspace as the
// scopes. `node tools/check-commits.mjs [revision range]`
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { readProjects, workspaceRoot } from './projects.mjs';

/** Those of commitlint's conventional configuration, the most widely used list. */
const TYPES = [
  ...['build', 'chore', 'ci', 'docs', 'feat', 'fix'],
  ...['perf', 'refactor', 'revert', 'style', 'test'],
];
/** What is not one project: files of the root and of several projects, and the documents. */
const SCOPES_BESIDE_PROJECTS = ['repository', 'docs'];
const LENGTH_MAX = 100;

/**
 * What is wrong with a commit's first line; undefined when nothing is.
 * @param {string} subject
 * @param {readonly string[]} scopes
 * @returns {string | undefined}
 */
export function subjectProblem(subject, scopes) {
  const match = /^(?<type>[a-z]+)\((?<scope>[a-z0-9-]+)\)!?: (?<what>[^ ].*)$/u.exec(subject);
  const { type = '', scope = '', what = '' } = match?.groups ?? {};
  if (match === null) return 'it is not "type(scope): what"';
  if (!TYPES.includes(type)) return `the type is none of ${TYPES.join(', ')}`;
  if (!scopes.includes(scope)) return `the scope is none of ${scopes.join(', ')}`;
  if (subject.length > LENGTH_MAX) return `it has more than ${LENGTH_MAX} characters`;
  if (what.endsWith('.')) return 'it ends with a full stop';
  return undefined;
}

/** Every scope a commit may have. */
export function commitScopes() {
  return [...readProjects().map(({ shortName }) => shortName), ...SCOPES_BESIDE_PROJECTS];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { wordsBehind } = await import('./words.mjs');
  const { words } = await wordsBehind('node tools/check-commits.mjs', (command) =>
    command
      .description("Checks every commit's first line.")
      .argument('[range]', 'revisions as git knows them; HEAD and all before it unless told'),
  );
  const range = words[0] ?? 'HEAD';
  const log = spawnSync('git', ['log', '--no-merges', '--format=%h %s', range], {
    cwd: workspaceRoot,
    encoding: 'utf8',
  });
  if (log.status !== 0) {
    process.stdout.write('There is no Git history here to check.\n');
  } else {
    const scopes = commitScopes();
    const problems = log.stdout
      .trimEnd()
      .split('\n')
      .flatMap((line) => {
        const problem = subjectProblem(line.slice(line.indexOf(' ') + 1), scopes);
        return problem === undefined ? [] : [`${line}\n    ${problem}`];
      });
    process.stdout.write(problems.map((problem) => `${problem}\n`).join(''));
    process.stdout.write(`${problems.length} commits have a wrong first line.\n`);
    process.exitCode = problems.length === 0 ? 0 : 1;
  }
}
