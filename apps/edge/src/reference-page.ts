import {
  type Kind,
  demandNote,
  kindTitles,
  notServed,
  notServedNote,
  paymentExamples,
  referenceExamples,
  referenceLimits,
  type ReferenceRow,
  type ReferenceStructure,
  referenceStructures,
  type RequestExample,
} from '@sluice/parameters';
import type { GatewayEnvironment } from '@sluice/service';
import { html, Html, jsonBlock, withCode } from './reference-page-html.js';

/** A channel that anybody may pay with: what the form is filled in with. */
export interface DemoChannel {
  readonly entityId: string;
  readonly accessToken: string;
}

/**
 * A request as the page's script sends it; `{id}` in the path is the last transaction, and `after`
 * the example that makes one for it.
 */
interface TriedRequest {
  readonly name: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly after?: keyof typeof paymentExamples;
}

/** Where the parts of the page are; the controller serves them. */
export const pagePaths = {
  reference: '/docs',
  operations: '/docs/operations',
  document: '/openapi.json',
  style: '/docs/reference-page.css',
  script: '/docs/reference-page.js',
  operationsStyle: '/docs/operations-page.css',
  operationsScript: '/docs/operations-page.js',
  swaggerStyle: '/docs/swagger-ui.css',
  swaggerScript: '/docs/swagger-ui-bundle.js',
} as const;

/**
 * The reference for people: every parameter with its rule, and on a test installation a request to
 * try. Live ones have none: it would move money.
 */
export function referencePage(environment: GatewayEnvironment, demo?: DemoChannel): string {
  const structures = referenceStructures();
  const isTest = environment === 'test';
  return page(
    'Sluice reference',
    [pagePaths.style],
    [pagePaths.script],
    html`
      <a class="skip" href="#parameters">Skip to the parameters</a>
      ${header('reference')}
      <main class="${isTest ? 'page with-panel' : 'page'}">
        ${isTest ? tryPanel(demo) : liveNote} ${parametersSection(structures, isTest)}
      </main>
    `,
  );
}

/** Operations, answers and schemas, drawn from the OpenAPI document by a library. */
export function operationsPage(): string {
  return page(
    'Sluice operations and answers',
    [pagePaths.swaggerStyle, pagePaths.style, pagePaths.operationsStyle],
    [pagePaths.swaggerScript, pagePaths.operationsScript],
    html`
      ${header('operations')}
      <div class="operations">
        <section aria-labelledby="operations-title">
          <h2 id="operations-title">Operations and answers</h2>
          <p>
            Drawn from <code>openapi.json</code>. To send a request, use
            <a href="${pagePaths.reference}">the reference</a>.
          </p>
        </section>
        <div id="operations"><p>Loading…</p></div>
      </div>
    `,
  );
}

function page(
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
        ${scripts.map((path) => html`<script src="${path}" defer></script>`)}
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}

function header(current: 'reference' | 'operations'): Html {
  const link = (path: string, text: string, isCurrent = false): Html =>
    html`<li>
      <a href="${path}" ${isCurrent ? new Html('aria-current="page"') : ''}>${text}</a>
    </li>`;
  return html`
    <header class="top">
      <h1>Sluice reference</h1>
      <nav aria-label="Documents">
        <ul>
          ${link(pagePaths.reference, 'Parameters', current === 'reference')}
          ${link(pagePaths.operations, 'Operations and answers', current === 'operations')}
          ${link(pagePaths.document, 'openapi.json')} ${link('/v1/resultcodes', 'Result codes')}
        </ul>
      </nav>
    </header>
  `;
}

const liveNote = html`<p class="lead">
  This is a live installation: it has no form to try a request, because that would move money. A
  sandbox has one.
</p>`;

function tryPanel(demo: DemoChannel | undefined): Html {
  const requests = triedRequests(demo?.entityId ?? '');
  const hint =
    demo === undefined
      ? html`Fill in your access token and <code>entityId</code>; this is a test installation.`
      : html`Filled in with the demo channel. No money moves: a simulator answers.`;
  return html`
    <section class="panel" id="try" aria-labelledby="try-title">
      <h2 id="try-title">Try it</h2>
      <p>${hint}</p>
      <form id="try-form">
        <label for="try-example">Example</label>
        <select id="try-example">
          ${requests.map(({ name, summary }) => html`<option value="${name}">${summary}</option>`)}
        </select>
        <label for="try-token">Access token</label>
        <input
          id="try-token"
          value="${demo?.accessToken ?? ''}"
          autocomplete="off"
          spellcheck="false"
        />
        <label for="try-path">Path</label>
        <div class="line">
          <span id="try-method">POST</span>
          <input id="try-path" value="/v1/payments" autocomplete="off" spellcheck="false" />
        </div>
        <label for="try-body">Parameters, one <code>name=value</code> a line</label>
        <textarea id="try-body" rows="11" autocomplete="off" spellcheck="false"></textarea>
        <div id="try-first" class="next" role="group" aria-label="What comes first" hidden>
          <p>
            <code>ID</code> in the path stands for a transaction of yours. Pay first, and its id is
            filled in.
          </p>
          <button type="button" id="try-pay-first"></button>
        </div>
        <button type="submit" id="try-send">Send</button>
      </form>
      <div id="try-result" role="status" aria-live="polite"></div>
      <div id="try-next" class="next" role="group" aria-label="Next requests" hidden></div>
      <details id="try-answer-part" open hidden>
        <summary>Answer</summary>
        <pre id="try-answer" tabindex="0" aria-label="Body of the answer"></pre>
      </details>
      <details>
        <summary>The same with curl</summary>
        <pre id="try-curl" tabindex="0" aria-label="Command"></pre>
      </details>
      ${jsonBlock('try-requests', requests)}
    </section>
  `;
}

function triedRequests(entityId: string): readonly TriedRequest[] {
  const posts = (
    path: string,
    examples: Readonly<Record<string, RequestExample>>,
  ): readonly TriedRequest[] =>
    Object.entries(examples).map(([name, { summary, fields }]) => ({
      ...{ name, summary, path, method: 'POST' },
      fields: Object.entries({ ...fields, entityId }),
    }));
  const reads = { method: 'GET', fields: [['entityId', entityId]], after: 'debit' } as const;
  return [
    ...posts('/v1/payments', paymentExamples),
    ...posts('/v1/payments/{id}', referenceExamples).map((each) => ({
      ...each,
      // Only what was reserved is captured.
      after: each.name === 'capture' ? ('authorization' as const) : ('debit' as const),
    })),
    { ...reads, name: 'read', summary: 'Read a transaction', path: '/v1/payments/{id}' },
    { ...reads, name: 'query', summary: 'Query a transaction', path: '/v1/query/{id}' },
  ];
}

function parametersSection(structures: readonly ReferenceStructure[], isTest: boolean): Html {
  const count = structures.reduce((sum, { rows }) => sum + rows.length, 0);
  return html`
    <section id="parameters" aria-labelledby="parameters-title">
      <h2 id="parameters-title">Parameters</h2>
      <form class="filters" id="filters" role="search">
        <div class="wide">
          <label for="search">Search a parameter</label>
          <input
            type="search"
            id="search"
            placeholder="card.number, iban, 3-D Secure version 2 …"
            autocomplete="off"
            spellcheck="false"
          />
        </div>
        <div>
          <label for="structure">Structure</label>
          <select id="structure">
            <option value="">All</option>
            ${structures.map(({ title }) => html`<option>${title}</option>`)}
          </select>
        </div>
        <div>
          <label for="kind">Request</label>
          <select id="kind">
            <option value="">Any</option>
            ${Object.entries(kindTitles).map(
              ([kind, { title }]) =>
                html`<option value="${kind}">${optionOf(kind as Kind, title)}</option>`,
            )}
          </select>
        </div>
        <p id="found" role="status">${String(count)} parameters</p>
      </form>
      <p class="notation">
        AN = any characters, A = letters, N = digits; the number is the greatest length. Names in
        brackets vary: <code>[n]</code> is an index from 0.
      </p>
      <p class="notation">${demandNote()}</p>
      <p class="notation" id="not-served">${notServedNote()}</p>
      ${limitsPart()} ${structures.map((structure) => structureSection(structure, isTest))}
    </section>
  `;
}

function optionOf(kind: Kind, title: string): string {
  return notServed(kind) === undefined ? title : `${title} (not served yet)`;
}

function limitsPart(): Html {
  return html`
    <details class="notation" id="limits">
      <summary>Limits of a request</summary>
      <ul>
        ${referenceLimits().map(
          ({ subject, limit, beyond }) =>
            html`<li>${withCode(subject)}: ${limit}; beyond it, ${withCode(beyond)}</li>`,
        )}
      </ul>
    </details>
  `;
}

function structureSection({ title, rows }: ReferenceStructure, isTest: boolean): Html {
  return html`
    <section class="structure" data-title="${title}">
      <h3>${title}</h3>
      ${rows.map((row) => parameterArticle(row, isTest))}
    </section>
  `;
}

const LETTERS = { R: 'required', C: 'conditional', O: 'optional' } as const;

function parameterArticle(row: ReferenceRow, isTest: boolean): Html {
  const { key, letter, example, exampleName } = row;
  const id = `p.${key}`;
  const label = `Add ${key} to the request`;
  const add = html`<button
    type="button"
    class="add"
    data-line="${exampleName}=${example}"
    aria-label="${label}"
  >
    Add
  </button>`;
  return html`
    <article id="${id}" data-uses="${row.uses.map(({ kind }) => kind).join(' ')}">
      <h4>
        <a href="#${id}"><code>${key}</code></a>
      </h4>
      <span class="letter ${LETTERS[letter]}">${LETTERS[letter]}</span>
      ${isTest ? add : ''}
      <p>${withCode(row.rule)}</p>
      <dl>
        <dt>Format</dt>
        <dd>${row.format}</dd>
        <dt>Example</dt>
        <dd><code>${example}</code></dd>
        <dt>Taken by</dt>
        <dd>${row.takenBy}</dd>
        <dt>In the answer</dt>
        <dd>${withCode(row.answered)}</dd>
        <dt>Interface</dt>
        <dd>${row.interface}</dd>
      </dl>
    </article>
  `;
}
