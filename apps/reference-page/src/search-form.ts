import { html, type Html } from '@sluice/html';

/** A choice that narrows the search. */
export interface SearchFilter {
  /** The id of its `select`, which the page's script reads. */
  readonly id: string;
  readonly label: string;
  /** The text of the first option, which does not narrow. */
  readonly any: string;
  /** The value that the script compares, and what people read. */
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** What is searched and how it is narrowed. */
export interface SearchForm {
  readonly label: string;
  /** Things that people look for, as examples. */
  readonly placeholder: string;
  readonly filters: readonly SearchFilter[];
  /** How many there are, and of what; the script counts what is found with the same noun. */
  readonly count: number;
  readonly noun: string;
}

/** The form above a list: a text field, choices, how many are found, and what to do when none is. */
export function searchForm({ label, placeholder, filters, count, noun }: SearchForm): Html {
  return html`
    <form class="filters" id="filters" role="search">
      <div class="wide">
        <label for="search">${label}</label>
        <input
          type="search"
          id="search"
          placeholder="${placeholder}"
          autocomplete="off"
          spellcheck="false"
        />
      </div>
      ${filters.map(filterField)}
      <p id="found" role="status" data-noun="${noun}">${String(count)} ${noun}</p>
      <p id="nothing-found" role="status" hidden></p>
    </form>
  `;
}

function filterField({ id, label, any, options }: SearchFilter): Html {
  return html`
    <div>
      <label for="${id}">${label}</label>
      <select id="${id}">
        <option value="">${any}</option>
        ${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
      </select>
    </div>
  `;
}
