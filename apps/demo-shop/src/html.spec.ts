import { describe, expect, it } from '@jest/globals';
import { html } from './html.js';

describe('HTML as a template', () => {
  it('escapes what is put into it, in text and in attributes', () => {
    const sent = `"><script>alert('1')</script>&`;
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;';
    expect(html`<a title="${sent}">${sent}</a>`.text).toBe(`<a title="${escaped}">${escaped}</a>`);
  });

  it('takes what it has made itself as it is, one or many', () => {
    const items = [1, 2].map((number) => html`<li>${number}</li>`);
    expect(html`${items}${html`<hr />`}`.text).toBe('<li>1</li><li>2</li><hr />');
  });
});
