// Which part of the widget is used by which of the pages that are written as shops write theirs. The pages
// are run in a browser by the sandbox's suite of the same name.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { workspaceRoot } from './projects.mjs';
import { widgetTables } from './widget-rows.mjs';

const FOLDER = 'apps/sandbox/test/shop-pages';

/**
 * @typedef {object} ShopPageFile
 * @property {string} name of its file, without the ending
 * @property {string} text
 */

/** All pages, in the order of their names. @returns {ShopPageFile[]} */
export function shopPageFiles(folder = join(workspaceRoot, FOLDER)) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.html'))
    .sort()
    .map((file) => ({
      name: basename(file, '.html'),
      text: readFileSync(join(folder, file), 'utf8'),
    }));
}

/** What a page uses. @param {string} text */
export function rowsUsedBy(text) {
  return widgetTables.flatMap(({ rows }) => rows).filter(({ use }) => use.test(text));
}

/** The reference: each row with the pages that use it. @param {readonly ShopPageFile[]} pages */
export function widgetReference(pages = shopPageFiles()) {
  const kinds = pages.map(
    ({ name, text }) => `| [${name}](../../${FOLDER}/${name}.html) | ${kindOf(text)} |`,
  );
  const tables = widgetTables.flatMap(({ title, rows }) => [
    '',
    `## ${title}`,
    '',
    '| | has an effect | pages |',
    '| --- | --- | --- |',
    ...rows.map(({ name, use, notYet }) => {
      const users = pages.filter(({ text }) => use.test(text)).map((page) => page.name);
      const shown = name.includes('`') || name.includes(' ') ? name : `\`${name}\``;
      return `| ${shown} | ${notYet === undefined ? 'yes' : `not yet: ${notYet}`} | ${users.join(', ')} |`;
    }),
  ]);
  return `${[...INTRODUCTION, ...kinds, ...tables].join('\n')}\n`;
}

const INTRODUCTION = [
  '# What shops use of the widget',
  '',
  'Generated from `tools/widget-rows.mjs` and the pages by `npm run generate`; do not edit.',
  '',
  'Ten pages are written as shops of the interface family write theirs, and each is paid on, in a browser and',
  'at a sandbox, by `shop-pages.e2e.spec.ts` and `single-page-shops.e2e.spec.ts` in `apps/sandbox/test`: all that a page uses has to take effect there.',
  'What has no effect yet says so on the console of the browser, except for classes, which match nothing.',
  'How the widget is used: [Take cards on your page](../how-to/take-cards-on-your-page.md).',
  '',
  '| page | what it is |',
  '| --- | --- |',
];

/** The comment at its beginning. @param {string} text */
function kindOf(text) {
  return (/<!--([\s\S]*?)-->/.exec(text)?.[1] ?? '').trim().replaceAll(/\s+/g, ' ');
}
