import type { KeepWidgetQuery, WidgetAnswer, WidgetQuery } from '@sluice/contracts';
import type { CheckoutId } from '@sluice/identifiers';
import type { Queries } from '@sluice/messaging';
import type { Clock } from '@sluice/service';
import { Refused } from './answer.js';
import { UNAVAILABLE } from './refusals.js';
import { type WidgetBundle, widgetBundleOf, type WidgetFiles, widgetText } from './widget-files.js';

/** So many digits of its version are in a checkout's id: enough to tell those apart that are in use. */
export const ID_VERSION_DIGITS = 8;
const VERSION_IN_ID = /-([0-9a-f]{8})$/;
const VERSION = /^[0-9a-f]{32}$/;

/** Checkouts keeps what was announced within a day, and no checkout lives longer than half an hour. */
const ANNOUNCED_FOR_MS = 6 * 60 * 60 * 1_000;
/** Builds that are in use at one time; the one that has been here for longest goes first. */
const OTHERS_MAX = 4;
/** Anybody may name a version, and each new one is looked for. */
const SEARCHES_MAX = 16;

/** What they are made of. */
export interface WidgetVersionsParts {
  readonly files: WidgetFiles;
  readonly queries: Queries;
  readonly machine: Pick<Clock, 'now'>;
}

/**
 * The builds of the widget: this instance's own, and those of other instances, so that the script of a
 * checkout is made of the same bytes for its whole life, whoever is asked for it while a deployment rolls
 * (page 0065).
 */
export class WidgetVersions {
  readonly #others = new Map<string, WidgetBundle>();
  readonly #searches = new Map<string, Promise<WidgetBundle | undefined>>();
  #announcing: Promise<void> | undefined;
  #announcedAtMs: number | undefined;

  constructor(private readonly parts: WidgetVersionsParts) {}

  /** This instance's own, once other instances can have it. Rejects while they cannot, or it is not built. */
  async announced(): Promise<WidgetBundle> {
    const own = await this.#own();
    const { machine } = this.parts;
    const atMs = this.#announcedAtMs;
    if (atMs === undefined) await this.#announce(own);
    // Nobody has to wait: what was announced is kept for longer.
    else if (machine.now() - atMs >= ANNOUNCED_FOR_MS) this.#announce(own).catch(() => undefined);
    return own;
  }

  /** The one that the script of a checkout is made of. Rejects while nobody can tell. */
  async of(id: CheckoutId): Promise<WidgetBundle> {
    const [, version] = VERSION_IN_ID.exec(id) ?? [];
    const found = version === undefined ? undefined : await this.#find(version);
    return found ?? this.#own();
  }

  /** One by its whole version; undefined where nobody has it. Rejects while nobody can tell. */
  async named(version: string): Promise<WidgetBundle | undefined> {
    if (!VERSION.test(version)) return undefined;
    const found = await this.#find(version.slice(0, ID_VERSION_DIGITS));
    return found?.version === version ? found : undefined;
  }

  #own(): Promise<WidgetBundle> {
    return this.parts.files.bundle();
  }

  #announce(own: WidgetBundle): Promise<void> {
    const query: KeepWidgetQuery = { version: own.version, bundle: widgetText(own) };
    this.#announcing ??= this.parts.queries
      .ask('checkouts', 'checkouts.keepWidget', query)
      .then(() => {
        this.#announcedAtMs = this.parts.machine.now();
      })
      .finally(() => {
        this.#announcing = undefined;
      });
    return this.#announcing;
  }

  async #find(version: string): Promise<WidgetBundle | undefined> {
    const own = await this.#own();
    if (own.version.startsWith(version)) return own;
    return this.#others.get(version) ?? this.#search(version);
  }

  #search(version: string): Promise<WidgetBundle | undefined> {
    const running = this.#searches.get(version);
    if (running !== undefined) return running;
    if (this.#searches.size >= SEARCHES_MAX) return Promise.reject(new Refused(UNAVAILABLE));
    const search = this.#ask(version).finally(() => this.#searches.delete(version));
    this.#searches.set(version, search);
    return search;
  }

  async #ask(version: string): Promise<WidgetBundle | undefined> {
    const query: WidgetQuery = { version };
    const { bundle } = await this.parts.queries.ask<WidgetAnswer>(
      ...(['checkouts', 'checkouts.widget', query] as const),
    );
    if (bundle === undefined) return undefined;
    const found = await widgetBundleOf(bundle);
    const [first] = this.#others.keys();
    if (first !== undefined && this.#others.size >= OTHERS_MAX) this.#others.delete(first);
    this.#others.set(version, found);
    return found;
  }
}
