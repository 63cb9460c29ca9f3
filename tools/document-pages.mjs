// The documents that the reference cites as parts of pages, so that a gateway serves them without
// any file of docs/.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, Renderer } from 'marked';
import { workspaceRoot } from './projects.mjs';

/** Where a gateway serves what stands beside the documents in docs/reference. */
const PAGES = new Map([
  ['interface.md', '/docs/interface'],
  ['wire-contract.md', '/docs/wire-contract'],
  ['parameters.md', '/docs'],
  ['result-codes.md', '/docs/result-codes'],
]);

/**
 * A link as a gateway serves it; undefined for what is in the repository alone.
 * @param {string} href
 */
function servedAt(href) {
  const [file = '', anchor] = href.split('#');
  const page = file === '' ? '' : PAGES.get(file);
  return page === undefined ? undefined : `${page}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Marked's own, but for links, headings and tables; declared methods, because it wants a class. */
class PageRenderer extends Renderer {
  /** @override @param {import('marked').Tokens.Link} token */
  link({ href, tokens }) {
    const text = this.parser.parseInline(tokens);
    const served = servedAt(href);
    return served === undefined ? text : `<a href="${served}">${text}</a>`;
  }

  /** The page has a title above it. @override @param {import('marked').Tokens.Heading} token */
  heading({ tokens, depth }) {
    const text = this.parser.parseInline(tokens);
    return `<h${depth + 1}>${text}</h${depth + 1}>\n`;
  }

  /** It scrolls for itself where the window is narrow, and by keys. @override @param {import('marked').Tokens.Table} token */
  table(token) {
    return `<div class="wide-table" tabindex="0">${super.table(token)}</div>\n`;
  }
}

/**
 * A document of docs/reference as a part of a page.
 * @param {string} name
 */
export function documentPage(name) {
  const marked = new Marked().setOptions({ renderer: new PageRenderer() });
  const text = readFileSync(join(workspaceRoot, 'docs/reference', name), 'utf8');
  return marked.parse(text, { async: false });
}
