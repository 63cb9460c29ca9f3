import {
  endStatusesOf,
  groups,
  outcomeOf,
  type ResultCodeRow,
  resultCodes,
  type Retry,
  retryMeanings,
  retryOf,
} from '@sluice/result-codes';
import { header, page, pagePaths } from './reference-page-frame.js';
import { html, type Html } from '@sluice/html';
import { searchForm } from './search-form.js';

/**
 * Every result code with what a client does about it, to be searched. The same table as JSON is linked
 * where the interface answers at this address.
 */
export function resultCodesPage(isBesideInterface: boolean): string {
  const json = html`<code>/v1/resultcodes</code>`;
  return page(
    'Sluice result codes',
    [pagePaths.style],
    [pagePaths.resultCodesScript],
    html`
      <a class="skip" href="#codes-table">Skip to the codes</a>
      ${header(pagePaths.resultCodes)}
      <main class="page">
        <h2>Result codes</h2>
        <p class="lead">
          Classify by groups, never by descriptions; new codes appear inside the groups. HTTP is the
          status of the answer to the request that ends with the code. The same as JSON:
          ${isBesideInterface ? html`<a href="/v1/resultcodes">/v1/resultcodes</a>` : json}.
        </p>
        ${codesForm()} ${codesTable()} ${groupsPart()}
      </main>
    `,
  );
}

function codesForm(): Html {
  return searchForm({
    label: 'Search a code',
    placeholder: '800.100, insufficient funds, 3-D Secure …',
    filters: [
      {
        id: 'group',
        label: 'Group',
        any: 'All',
        options: groups.map(({ name }) => [name, name]),
      },
      { id: 'retry', label: 'Retry', any: 'Any', options: Object.entries(retryMeanings) },
    ],
    count: resultCodes.length,
    noun: 'codes',
  });
}

function codesTable(): Html {
  return html`
    <table id="codes-table" class="codes">
      <thead>
        <tr>
          <th scope="col">Code</th>
          <th scope="col">Description</th>
          <th scope="col">Group</th>
          <th scope="col">HTTP</th>
          <th scope="col">Retry</th>
        </tr>
      </thead>
      <tbody id="codes">
        ${resultCodes.map(codeRow)}
      </tbody>
    </table>
  `;
}

function codeRow({ code, description, group }: ResultCodeRow): Html {
  const retry = outcomeOf(code) === 'rejected' ? retryOf(code) : undefined;
  return html`
    <tr id="${code}" data-group="${group}" data-retry="${retry ?? ''}">
      <th scope="row"><a href="#${code}">${code}</a></th>
      <td>${description}</td>
      <td>${meaningOf(group)}</td>
      <td>${endStatusesOf(code).join(', ')}</td>
      <td>${adviceFor(retry)}</td>
    </tr>
  `;
}

const adviceFor = (retry: Retry | undefined): string =>
  retry === undefined ? '' : retryMeanings[retry];

function meaningOf(group: string): string {
  return groups.find(({ name }) => name === group)?.meaning ?? 'no group';
}

function groupsPart(): Html {
  return html`
    <section>
      <h3 id="groups-title">Groups, and the expressions that clients have</h3>
      <div class="wide-table" tabindex="0" role="region" aria-labelledby="groups-title">
        <table class="codes">
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col">Meaning</th>
              <th scope="col">Outcome</th>
              <th scope="col">Expression</th>
            </tr>
          </thead>
          <tbody>
            ${groups.map(
              ({ name, meaning, outcome, pattern }) => html`
                <tr>
                  <th scope="row">${name}</th>
                  <td>${meaning}</td>
                  <td>${outcome}</td>
                  <td><code>${pattern.source}</code></td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    </section>
  `;
}
