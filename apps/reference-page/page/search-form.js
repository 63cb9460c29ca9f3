// A search whose words stay in the address, and that says what was perhaps meant where nothing fits.
import { element } from './page-element.js';
import { didYouMean, normalized, ranked } from './search.js';

/** @typedef {import('./search.js').Entry} Entry */
/** @typedef {import('./search.js').Synonyms} Synonyms */

/**
 * @template {Entry} Type
 * @typedef {object} Found
 * @property {readonly Type[]} entries best first where something is searched, else in their order
 * @property {boolean} isSearched
 */

/**
 * Searches while people type, and whenever a control that narrows the search changes.
 * @template {Entry} Type
 * @param {object} page
 * @param {readonly Type[]} page.entries
 * @param {Synonyms} page.synonyms
 * @param {readonly HTMLSelectElement[]} page.controls each stands in the address by its id
 * @param {(entry: Type) => boolean} page.isWanted by the controls
 * @param {(found: Found<Type>) => void} page.show
 */
export function searchForm({ entries, synonyms, controls, isWanted, show }) {
  const search = element('search', HTMLInputElement);
  const found = element('found', HTMLElement);
  const nothing = element('nothing-found', HTMLElement);
  const { noun = '' } = found.dataset;

  const run = () => {
    const wanted = entries.filter((entry) => isWanted(entry));
    const isSearched = normalized(search.value) !== '';
    const fitting = isSearched ? ranked(wanted, search.value, synonyms) : wanted;
    show({ entries: fitting, isSearched });
    found.textContent = `${countText(fitting.length, entries.length)} ${noun}`;
    nothing.hidden = fitting.length > 0;
    if (fitting.length === 0) tellNothing();
  };

  const tellNothing = () => {
    const { isElsewhere, meant } = insteadOf({ entries, synonyms, controls }, search.value);
    const suggestion = isElsewhere
      ? button('Search everywhere', () => emptyAll(controls))
      : meant === undefined
        ? undefined
        : button(meant, () => {
            search.value = meant;
          });
    nothing.replaceChildren(...nothingFits(search.value.trim(), isElsewhere, suggestion));
  };

  /** @param {string} text @param {() => void} change */
  const button = (text, change) =>
    buttonThat(text, () => {
      change();
      run();
      remember();
      search.focus();
    });

  const remember = () => rememberInAddress(search, controls);

  recallFromAddress(search, controls);
  for (const control of [search, ...controls]) {
    control.addEventListener('input', () => {
      run();
      remember();
    });
  }
  element('filters', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
  run();
  showRecalled(search);
  return {
    /** Shows everything again. */
    clear() {
      search.value = '';
      emptyAll(controls);
      run();
      remember();
    },
  };
}

/** @param {readonly HTMLSelectElement[]} controls */
function emptyAll(controls) {
  for (const control of controls) control.value = '';
}

/**
 * What could be offered where nothing fits: the same words without the controls, or other words.
 * @param {{ readonly entries: readonly Entry[], readonly synonyms: Synonyms, readonly controls: readonly HTMLSelectElement[] }} page
 * @param {string} words
 */
function insteadOf({ entries, synonyms, controls }, words) {
  const isNarrowed = controls.some(({ value }) => value !== '');
  const isElsewhere = isNarrowed && ranked(entries, words, synonyms).length > 0;
  return { isElsewhere, meant: isElsewhere ? undefined : didYouMean(entries, words, synonyms) };
}

/**
 * The sentence that nothing fits, with what is offered instead.
 * @param {string} words
 * @param {boolean} isElsewhere
 * @param {HTMLElement | undefined} suggestion
 * @returns {readonly (string | HTMLElement)[]}
 */
function nothingFits(words, isElsewhere, suggestion) {
  const sentence = `Nothing fits “${words}”${isElsewhere ? ' here. ' : '. '}`;
  if (suggestion === undefined) return [sentence];
  return isElsewhere ? [sentence, suggestion] : [sentence, 'Did you mean ', suggestion, '?'];
}

/**
 * On a telephone the form to try a request comes first; whoever opens an address with a search wants
 * its results.
 * @param {HTMLInputElement} search
 */
function showRecalled(search) {
  if (search.value === '' || location.hash !== '') return;
  if (search.getBoundingClientRect().top > innerHeight) search.scrollIntoView();
}

/** @param {number} shown @param {number} all */
function countText(shown, all) {
  return shown === all ? `${all}` : `${shown} of ${all}`;
}

/** @param {string} text @param {() => void} act */
function buttonThat(text, act) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', act);
  return made;
}

/** @param {HTMLInputElement} search @param {readonly HTMLSelectElement[]} controls */
function rememberInAddress(search, controls) {
  const address = new URL(location.href);
  const values = controls.map(({ id, value }) => /** @type {const} */ ([id, value]));
  for (const [name, value] of [/** @type {const} */ (['q', search.value.trim()]), ...values]) {
    if (value === '') address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  history.replaceState(null, '', address);
}

/** @param {HTMLInputElement} search @param {readonly HTMLSelectElement[]} controls */
function recallFromAddress(search, controls) {
  const { searchParams } = new URL(location.href);
  search.value = searchParams.get('q') ?? '';
  for (const control of controls) {
    control.value = searchParams.get(control.id) ?? '';
    // A value that it has not leaves it with none.
    if (control.selectedIndex === -1) control.value = '';
  }
}
