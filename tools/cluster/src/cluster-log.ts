import { type LineConsole, requestLine, type RequestLine } from '@sluice/local-installation';
import type { LogLevel } from '@sluice/service';

/** One line that a service has logged. */
export interface ServiceLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Weakest first. */
const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'];
/** What every line has, or shows in another way. */
const NOT_SHOWN: ReadonlySet<string> = new Set(['level', 'time', 'service', 'msg']);
/** What edge says of each request; it is shown at every level, as the sandbox does. */
const EDGE_REQUEST = 'request';
/** Bright enough on dark and on light: cyan, green, magenta, blue, yellow. */
const COLOURS = [36, 32, 35, 34, 33];

/** How the log is written. */
export interface ClusterLogOptions {
  readonly level: LogLevel;
  /** The longest name decides how far the lines are indented. */
  readonly names: readonly string[];
  readonly isColoured: boolean;
}

/** One log of many processes: each line begins with the name of the one that wrote it. */
export class ClusterLog {
  readonly #prefixes: ReadonlyMap<string, string>;
  readonly #weakest: number;

  constructor(
    private readonly console: LineConsole,
    { level, names, isColoured }: ClusterLogOptions,
  ) {
    const width = Math.max(...names.map((name) => name.length));
    const prefixes = names.map((name, index): [string, string] => {
      const text = name.padEnd(width);
      const colour = COLOURS[index % COLOURS.length] ?? 0;
      return [name, isColoured ? `\u001B[${colour}m${text}\u001B[0m` : text];
    });
    this.#prefixes = new Map(prefixes);
    this.#weakest = level === 'silent' ? LEVELS.length : LEVELS.indexOf(level);
  }

  /** A sentence of the cluster itself about one of its processes. */
  say(name: string, sentence: string): void {
    this.console.printLine(`${this.#prefixes.get(name) ?? name}  ${sentence}`);
  }

  /** What a process wrote; returns the line if it is one of ours. */
  write(name: string, text: string): ServiceLine | undefined {
    const line = parsed(text);
    if (line === undefined) this.say(name, text);
    else this.#writeLine(name, line);
    return line;
  }

  /** Writes what is still gathered. */
  flush(): void {
    this.console.flush();
  }

  #writeLine(name: string, line: ServiceLine): void {
    if (line.msg === EDGE_REQUEST && typeof line['path'] === 'string') {
      this.say(name, requestLine(line as unknown as RequestLine));
      return;
    }
    if (LEVELS.indexOf(line.level) < this.#weakest) return;
    const rest = Object.entries(line).filter(([field]) => !NOT_SHOWN.has(field));
    const fields = rest.length === 0 ? '' : ` ${JSON.stringify(Object.fromEntries(rest))}`;
    this.say(name, `${line.level}: ${line.msg}${fields}`);
  }
}

/** Undefined for whatever is not JSON of a logger: a stack trace, a warning of Node. */
function parsed(text: string): ServiceLine | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const line = JSON.parse(text) as Partial<ServiceLine>;
    return typeof line.level === 'string' && typeof line.msg === 'string'
      ? (line as ServiceLine)
      : undefined;
  } catch {
    return undefined;
  }
}
