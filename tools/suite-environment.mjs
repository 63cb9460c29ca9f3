// Which variables of the environment the tests see: those of which Nx's cache knows, and those that
// change no result. What a suite cannot see cannot make its result differ from the one in the cache.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from './projects.mjs';

/** @typedef {string | { env: string } | { runtime: string } | object} NxInput */

/**
 * Seen by tests and not known to the cache, each because no result may depend on it: where programs,
 * the user's own and temporary files are (the versions of programs are inputs), how a terminal is
 * written to, how the network is reached, and what npm, Nx and jest tell the programs that they start.
 */
const WITHOUT_EFFECT = [
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TMP|TEMP)$/u,
  /^(?:TERM|COLORTERM|COLUMNS|NO_COLOR|FORCE_COLOR|CI)$/u,
  /^(?:https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/u,
  /^(?:npm_|NX_|JEST_|MAVEN_|PIP_)|^INIT_CWD$/u,
];

/** What nx.json calls the environment. @returns {NxInput[]} */
export function environmentInputs(root = workspaceRoot) {
  return JSON.parse(readFileSync(join(root, 'nx.json'), 'utf8')).namedInputs.environment;
}

/** The variables by which cached results are told apart. @returns {string[]} */
export function cachedVariables(root = workspaceRoot) {
  return environmentInputs(root).flatMap((input) =>
    typeof input === 'object' && 'env' in input ? [input.env] : [],
  );
}

/** Whether a suite that reads the variable finds it. */
export function isSeen(/** @type {string} */ name, root = workspaceRoot) {
  return cachedVariables(root).includes(name) || WITHOUT_EFFECT.some((one) => one.test(name));
}

/** The environment for jest. @returns {NodeJS.ProcessEnv} */
export function suiteEnvironment(/** @type {NodeJS.ProcessEnv} */ env, root = workspaceRoot) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isSeen(name, root)));
}
