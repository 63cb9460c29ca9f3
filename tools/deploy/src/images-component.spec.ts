import { describe, expect, it } from '@jest/globals';
import { imagesComponent } from './images-component.js';

describe('the component that names the images', () => {
  it('is YAML for kustomize, whose tags are text', () => {
    const image = { name: 'sluice', repository: 'localhost/sluice', tag: '123456789012' };
    const text = imagesComponent([image], '123456789012');
    expect(text).toContain(
      "  - name: sluice\n    newName: localhost/sluice\n    newTag: '123456789012'\n",
    );
    expect(text).toContain('kind: Component\n');
    expect(text).toContain('  - name: release\n    literals: [name=123456789012]\n');
  });

  it('begins with the second cell of payments where there is one', () => {
    const words = imagesComponent([], 'abc', 2);
    expect(words).toContain('kind: Component\ncomponents:\n  - ../second-cell\nimages:\n');
    expect(imagesComponent([], 'abc', 1)).not.toContain('components');
  });
});
