import fastify from 'fastify';
import pg from 'pg';

/** An answer of the size of a payment answer, so that both servers write as much. */
const ANSWER = {
  id: '0'.repeat(32),
  paymentType: 'DB',
  amount: '92.00',
  filler: 'x'.repeat(560),
};

const server = fastify();
server.addContentTypeParser(
  'application/x-www-form-urlencoded',
  { parseAs: 'string' },
  (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)));
  },
);
server.post('/echo', () => ANSWER);
const [databaseUrl] = process.argv.slice(2);
if (databaseUrl !== undefined) {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  server.get<{ Params: { id: string } }>('/read/:id', async ({ params }) => {
    const { rows } = await pool.query<{ data: string }>({
      name: 'read',
      text: 'SELECT data::text AS data FROM payments.events WHERE stream_id = $1 AND version = 1',
      values: [params.id],
    });
    return { ...ANSWER, data: rows[0]?.data };
  });
}
await server.listen({ host: '127.0.0.1', port: 0 });
const address = server.server.address();
process.stdout.write(`${String(typeof address === 'object' ? address?.port : '')}\n`);
