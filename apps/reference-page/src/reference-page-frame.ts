import { Html, html } from '@sluice/html';

/** Where the parts of the page are; the controller serves them. */
export const pagePaths = {
  reference: '/docs',
  operations: '/docs/operations',
  resultCodes: '/docs/result-codes',
  interface: '/docs/interface',
  wireContract: '/docs/wire-contract',
  document: '/openapi.json',
  style: '/docs/reference-page.css',
  script: '/docs/reference-page.js',
  resultCodesScript: '/docs/result-codes-page.js',
  operationsStyle: '/docs/operations-page.css',
  operationsScript: '/docs/operations-page.js',
  swaggerStyle: '/docs/swagger-ui.css',
  swaggerScript: '/docs/swagger-ui-bundle.js',
} as const;

/** A page of the reference, as a whole. */
export function page(
  title: string,
  styles: readonly string[],
  scripts: readonly string[],
  body: Html,
): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${styles.map((path) => html`<link rel="stylesheet" href="${path}" />`)}
        ${scripts.map(scriptElement)}
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}

/** What a library made long ago is no module; it is there before those that need it. */
function scriptElement(path: string): Html {
  return path === pagePaths.swaggerScript
    ? html`<script src="${path}" defer></script>`
    : html`<script src="${path}" type="module"></script>`;
}

const documents = [
  [pagePaths.reference, 'Parameters'],
  [pagePaths.operations, 'Operations and answers'],
  [pagePaths.resultCodes, 'Result codes'],
  [pagePaths.interface, 'Interface'],
  [pagePaths.wireContract, 'Wire contract'],
  [pagePaths.document, 'openapi.json'],
] as const;

/** What every page begins with; the one that is read is no other to go to. */
export function header(current: string): Html {
  const link = ([path, text]: (typeof documents)[number]): Html =>
    html`<li>
      <a href="${path}" ${path === current ? new Html('aria-current="page"') : ''}>${text}</a>
    </li>`;
  return html`
    <header class="top">
      <h1>Sluice reference</h1>
      <nav aria-label="Documents">
        <ul>
          ${documents.map(link)}
        </ul>
      </nav>
    </header>
  `;
}
