import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messageCharactersMax } from '@sluice/domain-three-d-secure';
import { startTestAuthority } from '@sluice/testing';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { DirectoryServers } from './directory-servers.js';

const CHUNK = 'a'.repeat(10_000);
const logger = { error: () => undefined };

/** Answers everything with a text of this length. */
let characters = 0;
let server: Server;
let servers: DirectoryServers;
beforeAll(async () => {
  server = createServer((_request, response) => {
    for (let sent = 0; sent < characters; sent += CHUNK.length) {
      response.write(CHUNK.slice(0, characters - sent));
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  servers = await DirectoryServers.open({ testUrl: `http://127.0.0.1:${String(port)}`, logger });
});
afterAll(async () => {
  await servers.close();
  await new Promise((resolve) => server.close(resolve));
});

function visa() {
  const found = servers.of('visa', false);
  if (found === undefined) throw new Error('It is configured.');
  return found;
}

describe('what a directory server answers', () => {
  it('to AReq is read as far as ARes may be long', async () => {
    characters = messageCharactersMax.ARes;
    expect(await servers.authenticate(visa(), '{}')).toMatchObject({ kind: 'answered' });
    characters += 1;
    expect(await servers.authenticate(visa(), '{}')).toEqual({
      ...{ kind: 'lost', reason: 'answerTooLong' },
    });
  });

  it('to PReq is read as far as card ranges may be long', async () => {
    characters = messageCharactersMax.ARes + 1;
    expect(await servers.ranges(visa(), '{}')).toMatchObject({ kind: 'answered' });
  });
});

describe('the file of live directory servers', () => {
  /** Opens it with this row of Visa. */
  async function opened(changes: object): Promise<unknown> {
    const authority = await startTestAuthority();
    try {
      const files = await authority.certificateOf('risk');
      const file = join(dirname(files.keyFile), 'servers.json');
      const visa = {
        url: 'https://ds.example/',
        ...files,
        resultsFrom: ['ds.example'],
        ...changes,
      };
      await writeFile(file, JSON.stringify({ referenceNumber: 'R', networks: { visa } }));
      const found = await DirectoryServers.open({ file, logger });
      await found.close();
      return found.all;
    } finally {
      await authority.remove();
    }
  }

  it('says by which certificates results come', async () => {
    expect(await opened({})).toMatchObject([{ network: 'visa', isLive: true }]);
  });

  it.each([undefined, [], 'ds.example', [''], [1], Array(11).fill('ds.example')])(
    'is refused where it does not: %j',
    async (resultsFrom) => {
      await expect(opened({ resultsFrom })).rejects.toThrow(
        'RISK_DIRECTORY_SERVERS_FILE needs "resultsFrom", 1 to 10 of the names in the certificates ' +
          'by which its results come, at "visa".',
      );
    },
  );
});
