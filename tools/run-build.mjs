// `npm run build`: what every other command does first.
import process from 'node:process';
import { build } from './build.mjs';
import { readProjects, workspaceRoot } from './projects.mjs';
import { wordsBehind } from './words.mjs';

const known = readProjects().map(({ folder }) => folder);
const { words: folders } = await wordsBehind('npm run build --', (command) =>
  command
    .description("Brings every project's `dist` up to date with its `src`.")
    .addArgument(command.createArgument('[folders...]', 'of these alone').choices(known)),
);
const startedAt = performance.now();
const { compiled, removed } = await build(workspaceRoot, folders);
const milliseconds = Math.round(performance.now() - startedAt);
process.stdout.write(`${compiled} files compiled, ${removed} removed, ${milliseconds} ms\n`);
