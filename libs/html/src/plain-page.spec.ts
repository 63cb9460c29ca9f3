import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { html } from './html.js';
import { plainPage } from './plain-page.js';

const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What stands in the elements of a name. */
function contents(body: string, element: string): string[] {
  const found = body.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g'));
  return Array.from(found, ([, text = '']) => text);
}

describe('a plain page', () => {
  const page = plainPage({ title: 'A & B', main: html`<p>x</p>`, script: 'go()' });

  it('has its title, and allows its own style and script alone', () => {
    expect(contents(page.body, 'title')).toEqual(['A &amp; B']);
    const [style = ''] = contents(page.body, 'style');
    expect(contents(page.body, 'script')).toEqual(['go()']);
    expect(page.headers['content-security-policy']).toBe(
      `default-src 'none'; style-src ${hash(style)}; img-src data:; script-src ${hash('go()')}; ` +
        "base-uri 'none'; frame-ancestors 'none'",
    );
  });

  it('runs nothing where it has no script', () => {
    const { body, headers } = plainPage({ title: 'A', main: html`x` });
    expect(body).not.toContain('<script>');
    expect(headers['content-security-policy']).not.toContain('script-src');
  });

  it('loads into its frames what it says, and nothing else', () => {
    expect(page.headers['content-security-policy']).not.toContain('frame-src');
    const frameSources = ["'self'", 'https:'];
    const { headers } = plainPage({ title: 'A', main: html`x`, frameSources });
    expect(headers['content-security-policy']).toContain("; frame-src 'self' https:; base-uri");
  });

  it('is in no frame of another site, unless it is made for one', () => {
    const { headers } = plainPage({ title: 'A', main: html`x`, isFramed: true });
    expect(headers['content-security-policy']).toMatch(/base-uri 'none'$/);
  });

  it('is kept nowhere and says nowhere where its reader was', () => {
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });
});
