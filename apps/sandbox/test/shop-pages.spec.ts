import { describe, expect, it } from '@jest/globals';
import { rowsUsedBy, shopPageFiles } from '../../../tools/widget-reference.mjs';
import { widgetTables } from '../../../tools/widget-rows.mjs';

const pages = shopPageFiles();
const used = new Set(pages.flatMap(({ text }) => rowsUsedBy(text)));

describe('what shops use of the widget', () => {
  it('is each used by a page at least', () => {
    expect(pages.map(({ name }) => name)).toHaveLength(10);
    const rows = widgetTables.flatMap((table) => table.rows);
    expect(rows.length).toBeGreaterThan(150);
    expect(rows.filter((row) => !used.has(row)).map(({ name }) => name)).toEqual([]);
  });

  it('is in a row where a page names it', () => {
    // Not of React, whose buttons have one.
    const callbacks = pages.flatMap(
      ({ text }) => text.match(/\bon(?!Click)[A-Z]\w+(?=: |\(\) \{|,)/g) ?? [],
    );
    const classes = pages.flatMap(({ text }) => text.match(/(?<=\.)wpwl-[\w-]+/g) ?? []);
    const names = new Set(widgetTables.flatMap(({ rows }) => rows.map(({ name }) => name)));
    expect([...new Set(callbacks)].filter((name) => !names.has(name))).toEqual([]);
    // Of brands and fields beyond those of the rows.
    expect([...new Set(classes)].filter((name) => !names.has(name)).sort()).toEqual([
      'wpwl-form-virtualAccount-KLARNA_PAYLATER',
      'wpwl-label-custom',
      'wpwl-wrapper-custom',
      'wpwl-wrapper-cvv',
    ]);
  });

  it('is found where it is used, and nowhere else', () => {
    const namesIn = (text: string) => rowsUsedBy(text).map(({ name }) => name);
    expect(
      namesIn("var wpwlOptions = { style: 'card', registrations: { requireCvv: true } };"),
    ).toEqual([...['`wpwlOptions`', 'style: card', 'registrations.requireCvv']]);
    expect(namesIn('.wpwl-group-cvv { font-style: italic }')).toEqual(['wpwl-group-cvv']);
    expect(
      namesIn('<form class="paymentWidgets" data-brands="MADA KLARNA_PAYNOW"></form>'),
    ).toEqual([...['`data-brands`', 'MADA', 'KLARNA_']]);
    expect(namesIn('<input name="billing.city">')).toEqual(['billing.']);
  });
});
