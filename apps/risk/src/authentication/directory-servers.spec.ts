import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messageCharactersMax } from '@sluice/domain-three-d-secure';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
