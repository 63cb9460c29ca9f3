// The sandbox that the environment names, or one of our own.
const { spawn } = require('node:child_process');

const READY = /^Management on (\S+): [^]*^Sluice is ready on (\S+)$/m;

async function startSandbox() {
  const { SLUICE_URL: url, SLUICE_MANAGEMENT_URL: management } = process.env;
  if (url && management) return { url, management, stop: () => undefined };

  // Of each worker of jest its own; kept, so that the next start is quicker.
  const folder = `.sluice/${process.env.JEST_WORKER_ID}`;
  const command = ['--no', '--', 'sluice-sandbox', '--port', '0', '--data', folder];
  const child = spawn('npx', command, { stdio: ['ignore', 'pipe', 'inherit'] });
  // Not before the sandbox itself has ended: npx ends earlier.
  const closed = new Promise((resolve) => child.once('close', resolve));
  const [, managementUrl, sandboxUrl] = await new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const ready = READY.exec(printed);
      if (ready) resolve(ready);
    });
    closed.then(() => reject(new Error(`The sandbox did not start. It printed:\n${printed}`)));
  });
  const stop = async () => {
    child.kill();
    await closed;
  };
  return { url: sandboxUrl, management: managementUrl, stop };
}

module.exports = { startSandbox };
