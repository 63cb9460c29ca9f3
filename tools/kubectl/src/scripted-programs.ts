import { ProgramFailed, ProgramMissing, type Programs, type RunOptions } from './programs.js';

/** What a scripted program does when a command line begins with these words. */
export interface ScriptedAnswer {
  /** E.g. `kubectl config current-context`. */
  readonly begins: string;
  /** Its output, one after the other; the last one stays. */
  readonly gives?: readonly string[];
  /** Instead: ends with another code than 0, having said this. */
  readonly fails?: string;
}

/** For tests: programs that answer by a script and note how they were called. */
export class ScriptedPrograms implements Programs {
  /** Every command line, in order. */
  readonly calls: string[] = [];
  readonly #given = new Map<ScriptedAnswer, number>();

  constructor(
    private readonly answers: readonly ScriptedAnswer[],
    /** Only these are on the machine. */
    private readonly there: readonly string[],
  ) {}

  run(file: string, words: readonly string[], options?: RunOptions): Promise<string> {
    const call = [file, ...words].join(' ');
    this.calls.push(options?.folder === undefined ? call : `${options.folder}$ ${call}`);
    if (!this.there.includes(file)) return Promise.reject(new ProgramMissing(file));
    const answer = this.answers.find(({ begins }) => call.startsWith(begins));
    if (answer === undefined) return Promise.reject(new Error(`not in the script: ${call}`));
    if (answer.fails !== undefined) {
      return Promise.reject(new ProgramFailed(file, words, answer.fails));
    }
    const count = this.#given.get(answer) ?? 0;
    this.#given.set(answer, count + 1);
    const { gives = [''] } = answer;
    return Promise.resolve(gives[Math.min(count, gives.length - 1)] ?? '');
  }
}
