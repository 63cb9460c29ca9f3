// Whether the sandbox of this container can take payments, as the exit code.
import { get } from 'node:http';
import process from 'node:process';

const { SLUICE_MANAGEMENT_PORT: port } = process.env;
get({ host: '127.0.0.1', port, path: '/health' }, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1);
}).on('error', () => process.exit(1));
