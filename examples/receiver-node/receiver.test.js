import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { opened, receiver, secretsOf } from './receiver.js';

const SECRET = '000102030405060708090a0b0c0d0e0f'.repeat(2);
const OTHER = 'f'.repeat(64);
const SAMPLE = {
  iv: '000000000000000000000000',
  tag: 'CE573FB7A41AB78E743180DC83FF09BD',
  body: '0A3471C72D9BE49A8520F79C66BBD9A12FF9',
};

test('the published sample is read, raw and in JSON, in either case', () => {
  const told = { type: 'PAYMENT' };
  assert.deepEqual(opened(SAMPLE, [SECRET]), told);
  const body = JSON.stringify({ encryptedBody: SAMPLE.body.toLowerCase() });
  assert.deepEqual(opened({ ...SAMPLE, body }, [SECRET.toUpperCase()]), told);
});

test('either secret is taken while one is rotated, and no other', () => {
  assert.deepEqual(opened(SAMPLE, [OTHER, SECRET]), { type: 'PAYMENT' });
  assert.throws(() => opened(SAMPLE, [OTHER]));
});

test('whatever bit was flipped, it is refused', () => {
  for (const part of ['iv', 'tag', 'body']) {
    for (let bit = 0; bit < SAMPLE[part].length * 4; bit += 1) {
      const bytes = Buffer.from(SAMPLE[part], 'hex');
      bytes[bit >> 3] ^= 1 << (bit & 7);
      assert.throws(() => opened({ ...SAMPLE, [part]: bytes.toString('hex') }, [SECRET]));
    }
  }
});

test('a tag that was cut is refused', () => {
  assert.throws(() => opened({ ...SAMPLE, tag: SAMPLE.tag.slice(0, 8) }, [SECRET]));
});

test('without a whole secret nothing is received', () => {
  for (const setting of ['', 'abc', `${SECRET},`, 'g'.repeat(64)]) {
    assert.throws(() => secretsOf(setting), /64 hexadecimal digits/);
  }
  assert.deepEqual(secretsOf(`${OTHER},${SECRET}`), [OTHER, SECRET]);
});

test('a connection that is lost on the way ends nothing else', async (context) => {
  const server = receiver([SECRET], () => undefined);
  context.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 9\r\n\r\nabc');
  const [request] = await once(server, 'request');
  socket.destroy();
  await new Promise((resolve) => request.once('close', resolve));
  assert.equal((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' })).status, 401);
});

test('the receiver acknowledges what it has kept, and nothing else', async (context) => {
  const kept = [];
  const server = receiver([SECRET], (notification) => kept.push(notification));
  context.after(() => server.close());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const call = async (tag) => {
    const headers = { 'X-Initialization-Vector': SAMPLE.iv, 'X-Authentication-Tag': tag };
    const url = `http://127.0.0.1:${server.address().port}/`;
    return (await fetch(url, { method: 'POST', headers, body: SAMPLE.body })).status;
  };
  assert.equal(await call(SAMPLE.tag), 200);
  assert.equal(await call('0'.repeat(32)), 401);
  assert.deepEqual(kept, [{ type: 'PAYMENT' }]);
});
