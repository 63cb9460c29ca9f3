import { execFile } from 'node:child_process';

/** A download that says a line for each file is far below. */
const PRINTED_BYTES_MAX = 16 * 1024 * 1024;
/** The end has the reason. */
const SHOWN_CHARACTERS_MAX = 2_000;

/**
 * Runs a program to its end, however long that takes. Returns what it printed; rejects with the end
 * of that when it fails, or cannot be started.
 *
 * @param {string} file
 * @param {readonly string[]} words
 * @param {string} [folder] to run in; absent: this process's
 * @returns {Promise<string>}
 */
export function run(file, words, folder) {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, maxBuffer: PRINTED_BYTES_MAX };
    execFile(file, [...words], options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const printed = `${stdout}${stderr}`.trim().slice(-SHOWN_CHARACTERS_MAX);
      const ended = `${file} ended with ${error.code ?? error.signal ?? 'an error'}`;
      reject(new Error(printed === '' ? `${ended}: ${error.message}` : `${ended}: ${printed}`));
    });
  });
}
