// The reference page's own script: finds parameters, and sends requests to the gateway that served
// the page.
import { broughtData, element } from './page-element.js';
import { RequestForm } from './request-form.js';
import { searchForm } from './search-form.js';

/** @typedef {import('./request-form.js').TriedRequest} TriedRequest */
/** @typedef {import('./search.js').Synonyms} Synonyms */

/** @param {Element} article @param {string} selector */
const textIn = (article, selector) => article.querySelector(selector)?.textContent.trim() ?? '';

/** Shows the parameters that fit: by structure, or the best first where something is searched. */
function findParameters() {
  const structure = element('structure', HTMLSelectElement);
  const kind = element('kind', HTMLSelectElement);
  const results = element('results', HTMLElement);
  const resultList = element('result-list', HTMLElement);
  const sections = [...document.querySelectorAll('section.structure')].map((section) => ({
    section: /** @type {HTMLElement} */ (section),
    title: section.getAttribute('data-title') ?? '',
    articles: [...section.querySelectorAll('article')],
  }));
  const entries = sections.flatMap(({ title, articles }) =>
    articles.map((article) => ({
      article,
      title,
      name: textIn(article, 'h4'),
      // Whom it is taken by and what is masked in it stands at nearly all of them: no words to find one by.
      text: `${title} ${textIn(article, '.what')}`,
      values: textIn(article, 'dd.format'),
      uses: (article.dataset['uses'] ?? '').split(' '),
    })),
  );
  const form = searchForm({
    entries,
    synonyms: /** @type {Synonyms} */ (broughtData('synonyms')),
    controls: [structure, kind],
    isWanted: ({ title, uses }) =>
      (structure.value === '' || structure.value === title) &&
      (kind.value === '' || uses.includes(kind.value)),
    show: ({ entries: fitting, isSearched }) => {
      const shown = new Set(fitting.map(({ article }) => article));
      for (const { section, articles } of sections) {
        for (const article of articles) article.hidden = !shown.has(article);
        section.append(...articles);
        section.hidden = isSearched || articles.every(({ hidden }) => hidden);
      }
      results.hidden = !isSearched || fitting.length === 0;
      if (isSearched) resultList.append(...shown);
    },
  });
  // A link to a row that the search leaves out leads to it all the same.
  const showTarget = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target?.closest('[hidden]') === null) return;
    if (target?.matches('article, section.structure')) {
      form.clear();
      target.scrollIntoView();
    }
  };
  addEventListener('hashchange', showTarget);
  showTarget();
}

function tryRequests() {
  const requests = /** @type {readonly TriedRequest[] | undefined} */ (broughtData('try-requests'));
  // A live installation has no form.
  if (requests === undefined) return;
  const succeeded = /** @type {readonly string[]} */ (broughtData('try-succeeded'));
  const form = new RequestForm(
    requests,
    succeeded.map((source) => new RegExp(source)),
  );
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    const { line } = target.dataset;
    if (line === undefined) return;
    form.add(line);
    target.textContent = 'Added';
  });
}

findParameters();
tryRequests();
