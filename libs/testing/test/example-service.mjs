// The smallest service there is, for the specs of service processes. What it does is told by its
// environment: EXAMPLE_START (`at once`, `late`, `refused`, `fails`, `throws later`, `talks`) and EXAMPLE_CLOSE
// (`at once`, `never`, `fails`, `with busy threads`).
import { runService, SettingsError, Variable } from '@sluice/service';
import { pbkdf2 } from 'node:crypto';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import process from 'node:process';
import { setImmediate, setInterval } from 'node:timers';

class ExampleSettings {
  start = 'at once';
  close = 'at once';
  /** What it waits for at start; 0: nothing. */
  dependencyPort = 0;
}
Variable('EXAMPLE_START', { meaning: 'how it starts' })(ExampleSettings.prototype, 'start');
Variable('EXAMPLE_CLOSE', { meaning: 'how it closes' })(ExampleSettings.prototype, 'close');
Variable('EXAMPLE_DEPENDENCY_PORT', {
  meaning: 'what it waits for',
  parse: (text) => {
    if (!/^[0-9]{1,5}$/.test(text)) throw new Error('must be a port');
    return Number(text);
  },
})(ExampleSettings.prototype, 'dependencyPort');

// It writes beside its log, which no service does.
process.stdout.on('error', () => undefined);

await runService({
  name: 'example',
  settings: { example: ExampleSettings },
  start: async ({ settings, health, logger, waitFor, started, stopping }) => {
    const { start, close, dependencyPort } = settings.example;
    started({ close: () => closeAs(close) });
    if (dependencyPort > 0) await waitFor('the dependency', () => reach(dependencyPort));
    if (start === 'refused') throw new SettingsError('EXAMPLE_START must be something else.');
    if (start === 'fails') throw new TypeError('a defect');
    if (start === 'throws later') {
      setImmediate(() => void Promise.reject(new RangeError('nobody catches this')));
    }
    if (start === 'talks') setInterval(() => logger.info('talking'), 10).unref();
    health.readyWhen('example', () => Promise.resolve());
    stopping.addEventListener('abort', () => process.stdout.write('{"msg":"told to stop"}\n'));
    if (close === 'with busy threads') stopping.addEventListener('abort', keepThreadBusy);
  },
});

/** @param {string} way */
async function closeAs(way) {
  process.stdout.write('{"msg":"closing"}\n');
  if (way === 'fails') throw new Error('cannot close');
  if (way !== 'never') return;
  // With a socket of its own, as a connection that does not end would have.
  createServer().listen(0);
  await new Promise(() => undefined);
}

/** Some tenths of a second in which nothing else is written by the thread that does this. */
function keepThreadBusy() {
  pbkdf2('example', 'salt', 200_000, 64, 'sha512', () => undefined);
}

/** @param {number} port @returns {Promise<void>} */
function reach(port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
