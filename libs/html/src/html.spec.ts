import { describe, expect, it } from '@jest/globals';
import { html, Html, jsonBlock, withCode } from './html.js';

describe('HTML as a template', () => {
  it('escapes what is put into it, in text and in attributes', () => {
    const sent = `"><script>alert('1')</script>&`;
    expect(html`<a title="${sent}">${sent}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</a>',
    );
  });

  it('takes HTML as it is, one or many', () => {
    const items = ['a', '<'].map((name) => html`<li>${name}</li>`);
    expect(html`${items}${new Html('<hr />')}`.text).toBe('<li>a</li><li>&lt;</li><hr />');
  });

  it('has code spans, and data that cannot end its element', () => {
    expect(withCode('send `a<b` now').text).toBe('send <code>a&lt;b</code> now');
    expect(jsonBlock('data', { a: '</script>' }).text).not.toMatch(/<\/script>.*<\/script>/);
  });
});
