import { describe, expect, it } from '@jest/globals';
import { ClusterUnusable } from '@sluice/kubectl';
import { edgeUrl } from './edge-url.js';

function edgeAt(...addresses: readonly string[]): { edgeAddresses: () => Promise<string[]> } {
  return { edgeAddresses: () => Promise.resolve([...addresses]) };
}

describe('the address of the edge', () => {
  it('is that of the first node that answers', async () => {
    const answers = (url: string): Promise<boolean> => Promise.resolve(url.includes('0.3'));
    const cluster = edgeAt('http://10.0.0.2:30080', 'http://10.0.0.3:30080');
    expect(await edgeUrl(cluster, answers)).toBe('http://10.0.0.3:30080');
  });

  it('has to be told where no node is reached', async () => {
    await expect(edgeUrl(edgeAt())).rejects.toThrow(ClusterUnusable);
  });
});
