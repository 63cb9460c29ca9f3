// Finds result codes by the beginning of a code, by words, and by what a client does with them.
import { element } from './page-element.js';
import { searchForm } from './search-form.js';

const body = element('codes', HTMLTableSectionElement);
const group = element('group', HTMLSelectElement);
const retry = element('retry', HTMLSelectElement);
const entries = [...body.rows].map((row) => {
  const [code, description, , status] = [...row.cells].map(({ textContent }) => textContent.trim());
  return {
    row,
    name: code ?? '',
    text: `${description} ${row.dataset['group']} ${row.dataset['retry']}`,
    values: `HTTP ${status}`,
  };
});

searchForm({
  entries,
  synonyms: {},
  controls: [group, retry],
  isWanted: ({ row }) =>
    (group.value === '' || group.value === row.dataset['group']) &&
    (retry.value === '' || retry.value === row.dataset['retry']),
  show: ({ entries: fitting }) => {
    for (const { row } of entries) row.hidden = true;
    for (const { row } of fitting) row.hidden = false;
    body.append(...fitting.map(({ row }) => row));
    element('codes-table', HTMLTableElement).hidden = fitting.length === 0;
  },
});
