// `npm run lock`: after a change of dependencies, writes the lock file for every platform.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { completeLock } from './complete-lock.mjs';
import { npmCommand } from './ensure-packages.mjs';
import { workspaceRoot } from './projects.mjs';
import { wordsBehind } from './words.mjs';

await wordsBehind('npm run lock --', (command) =>
  command.description(
    "Installs what every project's package.json names, and writes package-lock.json for every platform.",
  ),
);
const { command, leading, shell } = npmCommand(process.env);
const { status } = spawnSync(command, [...leading, 'install', '--ignore-scripts'], {
  cwd: workspaceRoot,
  shell,
  stdio: 'inherit',
});
if (status !== 0 || !completeLock(false)) process.exitCode = 1;
