import { createHash } from 'node:crypto';
import { Html, html } from './html.js';

/** A page as it is sent. */
export interface PlainPage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a page is made of. */
export interface PageParts {
  readonly title: string;
  readonly main: Html;
  /** Constant text; the page must be of use without it. */
  readonly script?: string;
  /** Whether pages of other sites may show it in a frame. */
  readonly isFramed?: true;
  /** What its own frames may load, as a policy names it. */
  readonly frameSources?: readonly string[];
}

/**
 * Readable on a phone and by whoever enlarges it; colors follow the reader's choice. Closer together in the low frames
 * that 3-D Secure has, so that what is asked for is seen without scrolling.
 */
const STYLE = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{margin:0}
main{max-width:28rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.5rem;line-height:1.25}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}
dt{font-weight:600}
dd{margin:0;overflow-wrap:anywhere}
button,.button{display:block;box-sizing:border-box;width:100%;min-height:3rem;margin:.75rem 0;padding:.5rem 1rem;font:inherit;text-align:center;border:1px solid currentcolor;border-radius:.5rem;background:canvas;color:canvastext;cursor:pointer;text-decoration:none}
button.main,.button.main{background:#0b57d0;border-color:#0b57d0;color:#fff}
label{display:block;font-weight:600}
label.choice{display:flex;gap:.75rem;align-items:center;min-height:2.75rem;font-weight:400}
label.choice input{width:1.25rem;height:1.25rem;margin:0}
input:not([type]){box-sizing:border-box;width:100%;min-height:3rem;padding:.5rem;font:inherit;border:1px solid currentcolor;border-radius:.5rem;background:canvas;color:canvastext}
fieldset{margin:0;padding:0;border:0}
legend{padding:0;font-weight:600}
.error{padding:.5rem .75rem;border-left:.25rem solid #d93025}
:focus-visible{outline:3px solid #0b57d0;outline-offset:2px}
@media (max-height:26rem){main{padding:.5rem 1rem}h1{margin:0;font-size:1.125rem}p,dl{margin:.375rem 0}dl{row-gap:0}button,.button,input:not([type]){min-height:2.75rem;margin:.375rem 0}label.choice{min-height:2rem}}
`;

const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/**
 * A page for shoppers: it loads nothing but what its frames may, works without JavaScript, is in no cache, and in no frame
 * unless it is made for one, and tells the next site nothing about where its reader was. A form may lead to any site, because
 * acquirers and merchants are anywhere.
 */
export function plainPage(parts: PageParts): PlainPage {
  const { title, main, script, isFramed, frameSources } = parts;
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${main}
        </main>
        ${script === undefined ? '' : new Html(`<script>${script}</script>`)}
      </body>
    </html> `.text;
  const policy = [
    ...["default-src 'none'", `style-src '${hashOf(STYLE)}'`, 'img-src data:'],
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`]),
    ...(frameSources === undefined ? [] : [`frame-src ${frameSources.join(' ')}`]),
    "base-uri 'none'",
    ...(isFramed === true ? [] : ["frame-ancestors 'none'"]),
  ];
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
  return { body, headers };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
