import {
  citationOf,
  demandNote,
  type Kind,
  kindTitles,
  notServed,
  notServedNote,
  referenceLimits,
  type ReferenceRow,
  type ReferenceStructure,
  referenceStructures,
} from '@sluice/parameters';
import { header, page, pagePaths } from './reference-page-frame.js';
import { html, type Html, jsonBlock, withCode } from '@sluice/html';
import { searchForm } from './search-form.js';
import { searchSynonyms } from './search-synonyms.js';
import { type DemoChannel, tryPanel } from './try-panel.js';

/** The form to try a request, or why there is none. */
export type TryForm =
  | { readonly demo: DemoChannel | undefined }
  /** It would move money. */
  | 'noneOnLive'
  /** The interface has another address, and a browser sends credentials only to the page's own. */
  | 'noneElsewhere';

/** The reference for people: every parameter with its rule, and where there is a form a request to try. */
export function referencePage(form: TryForm): string {
  const structures = referenceStructures();
  const hasForm = typeof form === 'object';
  return page(
    'Sluice reference',
    [pagePaths.style],
    [pagePaths.script],
    html`
      <a class="skip" href="#parameters">Skip to the parameters</a>
      ${header(pagePaths.reference)}
      <main class="${hasForm ? 'page with-panel' : 'page'}">
        ${hasForm ? tryPanel(form.demo) : notes[form]} ${parametersSection(structures, hasForm)}
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
      ${header(pagePaths.operations)}
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

const notes = {
  noneOnLive: html`<p class="lead">
    This is a live installation: it has no form to try a request, because that would move money. A
    sandbox has one.
  </p>`,
  noneElsewhere: html`<p class="lead">
    The interface has an address of its own here, so there is no form to try a request. A sandbox
    has one.
  </p>`,
};

function parametersSection(structures: readonly ReferenceStructure[], hasForm: boolean): Html {
  const count = structures.reduce((sum, { rows }) => sum + rows.length, 0);
  return html`
    <section id="parameters" aria-labelledby="parameters-title">
      <h2 id="parameters-title">Parameters</h2>
      ${searchForm({
        label: 'Search a parameter',
        placeholder: 'card.number, iban, 3-D Secure version 2 …',
        filters: [
          {
            id: 'structure',
            label: 'Structure',
            any: 'All',
            options: structures.map(({ title }) => [title, title]),
          },
          { id: 'kind', label: 'Request', any: 'Any', options: kindOptions() },
        ],
        count,
        noun: 'parameters',
      })}
      <section id="results" aria-labelledby="results-title" hidden>
        <h3 id="results-title">Found, the best first</h3>
        <div id="result-list"></div>
      </section>
      <p class="notation">
        AN = any characters, A = letters, N = digits; the number is the greatest length. Names in
        brackets vary: <code>[n]</code> is an index from 0.
      </p>
      <p class="notation">${demandNote()}</p>
      <p class="notation" id="not-served">${notServedNote()}</p>
      ${limitsPart()} ${structures.map((structure) => structureSection(structure, hasForm))}
      ${jsonBlock('synonyms', searchSynonyms)}
    </section>
  `;
}

function kindOptions(): readonly (readonly [Kind, string])[] {
  return (Object.keys(kindTitles) as Kind[]).map((kind) => {
    const { title } = kindTitles[kind];
    return [kind, notServed(kind) === undefined ? title : `${title} (not served yet)`];
  });
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

function structureSection({ title, rows }: ReferenceStructure, hasForm: boolean): Html {
  return html`
    <section class="structure" id="${anchorOf(title)}" data-title="${title}">
      <h3>${title}</h3>
      ${rows.map((row) => parameterArticle(row, title, hasForm))}
    </section>
  `;
}

/** As a heading of Markdown is linked, so that documents link to page and file alike. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

const LETTERS = { R: 'required', C: 'conditional', O: 'optional' } as const;

function parameterArticle(row: ReferenceRow, title: string, hasForm: boolean): Html {
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
      ${hasForm ? add : ''}
      <p class="structure-name">${title}</p>
      <p>
        <span class="what">${withCode(row.description)}</span>
        ${withCode(row.rule.slice(row.description.length))}
      </p>
      <dl>
        <dt>Format</dt>
        <dd class="format">${row.format}</dd>
        <dt>Example</dt>
        <dd><code>${example}</code></dd>
        <dt>Taken by</dt>
        <dd>${row.takenBy}</dd>
        <dt>In the answer</dt>
        <dd>${withCode(row.answered)}</dd>
        <dt>Interface</dt>
        <dd>${citation(row.interface)}</dd>
      </dl>
    </article>
  `;
}

/** A link to the section of our own copy of the interface. */
function citation(cited: string): Html {
  const { document, anchor, text } = citationOf(cited);
  const path = document === 'interface' ? pagePaths.interface : pagePaths.wireContract;
  return html`<a href="${path}#${anchor}">${text}</a>`;
}
