import { describe, expect, it } from '@jest/globals';
import type { KeepWidgetQuery, WidgetQuery } from '@sluice/contracts';
import { type CheckoutId, newCheckoutId } from '@sluice/identifiers';
import { type Queries, QueryUnavailable } from '@sluice/messaging';
import { fixedClock } from '@sluice/testing';
import type { WidgetBundle, WidgetFiles } from './widget-files.js';
import { WidgetVersions } from './widget-versions.js';

const HOUR_MS = 60 * 60 * 1_000;

/** A build of which every text says which one it is. */
function build(digit: string): WidgetBundle {
  const plain = Buffer.from(`widget ${digit}`);
  return {
    ...{ version: digit.repeat(32), loader: `loader ${digit}`, integrity: `sha384-${digit}` },
    files: new Map([['widget.js', { plain, brotli: plain, gzip: plain }]]),
  };
}

/** Checkouts, as far as instances of edge leave builds there. */
class ScriptedStore implements Queries {
  readonly kept = new Map<string, string>();
  readonly asked: string[] = [];
  isAway = false;

  async ask<Answer>(_service: string, query: string, parameters: object): Promise<Answer> {
    this.asked.push(query);
    if (this.isAway) throw new QueryUnavailable(query, 'noService');
    if (query === 'checkouts.keepWidget') {
      const { version, bundle } = parameters as KeepWidgetQuery;
      this.kept.set(version, bundle);
      return {} as Answer;
    }
    const { version } = parameters as WidgetQuery;
    const found = [...this.kept].find(([name]) => name.startsWith(version));
    return { ...(found && { bundle: found[1] }) } as Answer;
  }
}

const clock = fixedClock(0);
const instance = (digit: string, queries: Queries) => {
  const files = { bundle: () => Promise.resolve(build(digit)) } as WidgetFiles;
  return new WidgetVersions({ files, queries, machine: clock });
};
const idOf = (digit: string): CheckoutId => newCheckoutId(`sluice-${digit.repeat(8)}`);

describe('the builds of the widget', () => {
  it('are served by every instance once one has announced them', async () => {
    const store = new ScriptedStore();
    const [older, newer] = [instance('a', store), instance('b', store)];
    expect((await older.announced()).version).toBe('a'.repeat(32));
    const found = await newer.of(idOf('a'));
    const { version, loader, integrity } = build('a');
    expect(found).toMatchObject({ version, loader, integrity });
    expect(found.files.get('widget.js')?.plain.toString()).toBe('widget a');
    expect((await newer.named(version))?.version).toBe(version);
  });

  it('are asked for once, and its own never', async () => {
    const store = new ScriptedStore();
    await instance('a', store).announced();
    store.asked.length = 0;
    const newer = instance('b', store);
    await newer.of(idOf('b'));
    expect(store.asked).toEqual([]);
    await Promise.all([newer.of(idOf('a')), newer.of(idOf('a'))]);
    await newer.of(idOf('a'));
    expect(store.asked).toEqual(['checkouts.widget']);
  });

  it('stand in for one another where an id names none that is there', async () => {
    const versions = instance('b', new ScriptedStore());
    const own = 'b'.repeat(32);
    for (const id of [idOf('c'), newCheckoutId('sluice'), 'A'.repeat(32) as CheckoutId]) {
      expect((await versions.of(id)).version).toBe(own);
    }
  });

  it.each(['c'.repeat(32), 'b'.repeat(8), `${'b'.repeat(31)}c`, '..', ''])(
    'are none under the name %j',
    async (name) => {
      expect(await instance('b', new ScriptedStore()).named(name)).toBeUndefined();
    },
  );

  it('are announced again some hours later, and nobody waits for that', async () => {
    const store = new ScriptedStore();
    const versions = instance('a', store);
    await versions.announced();
    await versions.announced();
    clock.advance(7 * HOUR_MS);
    store.isAway = true;
    await versions.announced();
    expect(store.asked).toEqual(['checkouts.keepWidget', 'checkouts.keepWidget']);
  });

  it('are not given to others before they have been announced', async () => {
    const store = new ScriptedStore();
    store.isAway = true;
    const versions = instance('a', store);
    await expect(versions.announced()).rejects.toThrow(QueryUnavailable);
    store.isAway = false;
    await versions.announced();
    expect(store.kept.size).toBe(1);
  });

  it('are not guessed while nobody can tell', async () => {
    const store = new ScriptedStore();
    store.isAway = true;
    await expect(instance('b', store).of(idOf('a'))).rejects.toThrow(QueryUnavailable);
  });

  it('of others are few at a time', async () => {
    const store = new ScriptedStore();
    const digits = ['0', '1', '2', '3', '4'];
    for (const digit of digits) await instance(digit, store).announced();
    const versions = instance('b', store);
    for (const digit of digits) await versions.of(idOf(digit));
    store.asked.length = 0;
    await versions.of(idOf('4'));
    expect(store.asked).toEqual([]);
    await versions.of(idOf('0'));
    expect(store.asked).toEqual(['checkouts.widget']);
  });
});
