// `npm run build`: what every other command does first.
import process from 'node:process';
import { wordsBehind } from './words.mjs';

const { built } = await wordsBehind('npm run build --', (command) =>
  command.description("Brings every project's `dist` up to date with its `src`."),
);
const { compiled, removed, milliseconds } = built;
process.stdout.write(`${compiled} files compiled, ${removed} removed, ${milliseconds} ms\n`);
