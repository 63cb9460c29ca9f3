import { type Fields } from './demo-merchant-fixture.js';

/** A form as it would be sent. */
export interface PlainForm {
  readonly url: string;
  readonly fields: Fields;
}

/** What a browser without scripts has come to. */
export interface PlainPage {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  /** Those that are posted. */
  readonly forms: readonly PlainForm[];
  readonly refresh: string | undefined;
}

const REDIRECTS_MAX = 10;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" },
};

/**
 * A browser of plain HTTP, without scripts and frames: it follows addresses and sends forms, and stops
 * before those that `stopsAt` holds for, which are another site's.
 */
export class PlainBrowser {
  constructor(private readonly stopsAt: (url: string) => boolean) {}

  open(url: string): Promise<PlainPage> {
    return this.#follow(url, { method: 'GET' });
  }

  /** Sends a form, with other fields or more of them. */
  submit({ url, fields }: PlainForm, changes: Fields = {}): Promise<PlainPage> {
    return this.#follow(url, {
      ...{ method: 'POST', body: new URLSearchParams({ ...fields, ...changes }) },
    });
  }

  async #follow(first: string, request: RequestInit): Promise<PlainPage> {
    let [url, init] = [first, request];
    for (let redirects = 0; redirects < REDIRECTS_MAX; redirects += 1) {
      if (this.stopsAt(url)) return { url, status: 200, text: '', forms: [], refresh: undefined };
      const response = await fetch(url, { ...init, redirect: 'manual' });
      const { headers, status } = response;
      const text = await response.text();
      const location = headers.get('location');
      if (location === null) {
        const refresh = headers.get('refresh') ?? undefined;
        return { url, status, text, forms: formsIn(text, url), refresh };
      }
      [url, init] = [new URL(location, url).href, { method: 'GET' }];
    }
    throw new Error(`${first} leads round in a circle.`);
  }
}

function formsIn(text: string, url: string): PlainForm[] {
  return [...text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gu)].map(
    ([, attributes = '', inner = '']) => ({
      url: new URL(attributeIn(attributes, 'action') ?? '', url).href,
      fields: Object.fromEntries(
        [...inner.matchAll(/<input\b([^>]*)>/gu)].flatMap(([, input = '']) => {
          const name = attributeIn(input, 'name');
          const value = attributeIn(input, 'value');
          return name === undefined || value === undefined ? [] : [[name, value]];
        }),
      ),
    }),
  );
}

function attributeIn(text: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`, 'u').exec(text)?.[1];
  return value?.replace(/&(?:amp|lt|gt|quot|#39);/gu, (entity) => ENTITIES[entity] ?? entity);
}
