import { readFile } from 'node:fs/promises';
import { header, page, pagePaths } from './reference-page-frame.js';
import { html, Html } from '@sluice/html';

/** The documents that parameters and descriptions cite, and the files with their text. */
const documents = {
  [pagePaths.interface]: { title: 'Sluice: the interface', file: 'interface.html' },
  [pagePaths.wireContract]: { title: 'Sluice: the wire contract', file: 'wire-contract.html' },
} as const;

/** A document as a page; its text was made of `docs/reference` by `npm run generate`. */
export async function documentPage(path: keyof typeof documents): Promise<string> {
  const { title, file } = documents[path];
  const text = await readFile(new URL(`../page/${file}`, import.meta.url), 'utf8');
  return page(
    title,
    [pagePaths.style],
    [],
    html`
      ${header(path)}
      <main class="page document">${new Html(text)}</main>
    `,
  );
}
