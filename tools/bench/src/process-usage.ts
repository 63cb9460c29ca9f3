import { readFileSync, readdirSync } from 'node:fs';

/** Kernel clock ticks per second in /proc (USER_HZ); 100 on every Linux that runs Node. */
const TICKS_PER_SECOND = 100;
const KIBIBYTE = 1024;

interface ProcessTimes {
  readonly pid: number;
  readonly parentPid: number;
  /** User and system time of the process itself, in ticks. */
  readonly ownTicks: number;
  /** The same of its children that have ended and were waited for. */
  readonly endedChildrenTicks: number;
}

function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const line = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const [parentPid = 0, user = 0, kernel = 0, endedUser = 0, endedKernel = 0] = statFields(
      line,
      [4, 14, 15, 16, 17],
    );
    return { pid, parentPid, ownTicks: user + kernel, endedChildrenTicks: endedUser + endedKernel };
  } catch {
    return undefined;
  }
}

function allProcesses(): ProcessTimes[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map((name) => readTimes(Number.parseInt(name, 10)))
    .filter((times) => times !== undefined);
}

/** The process and all below it, as the kernel lists them now. */
function treeOf(rootPid: number): ProcessTimes[] {
  const processes = allProcesses();
  const tree = processes.filter((process) => process.pid === rootPid);
  for (const member of tree) {
    tree.push(...processes.filter((process) => process.parentPid === member.pid));
  }
  return tree;
}

/** CPU seconds (user and system) that a process and everything below it have used so far. */
export function cpuSecondsOfTree(rootPid: number): number {
  const tree = treeOf(rootPid);
  const ticks = tree.reduce(
    (sum, process) => sum + process.ownTicks + process.endedChildrenTicks,
    0,
  );
  return ticks / TICKS_PER_SECOND;
}

/** CPU seconds (user and system) of one process alone, without its children. */
export function cpuSecondsOf(pid: number): number {
  return (readTimes(pid)?.ownTicks ?? 0) / TICKS_PER_SECOND;
}

/** CPU seconds of the processes that this one has started and that have ended. */
export function cpuSecondsOfEndedChildren(): number {
  return (readTimes(process.pid)?.endedChildrenTicks ?? 0) / TICKS_PER_SECOND;
}

/** What processes have used so far, in finer parts. */
export interface ProcessUsage {
  readonly userSeconds: number;
  readonly kernelSeconds: number;
  /** The main threads' part of both together. */
  readonly mainUserSeconds: number;
  readonly mainKernelSeconds: number;
  /** How often a thread gave its core away, and how often it was taken from it. */
  readonly voluntarySwitches: number;
  readonly involuntarySwitches: number;
}

/** Of each of them; the CPU of those that have ended is their parent's. */
export function usageOf(pids: readonly number[]): ReadonlyMap<number, ProcessUsage> {
  return new Map(
    pids.map((pid) => {
      const parts = [endedChildren(pid), ...threadsOf(pid)];
      const sum = (of: keyof ProcessUsage): number =>
        parts.reduce((all, part) => all + part[of], 0);
      return [
        pid,
        {
          ...{ userSeconds: sum('userSeconds'), kernelSeconds: sum('kernelSeconds') },
          mainUserSeconds: sum('mainUserSeconds'),
          mainKernelSeconds: sum('mainKernelSeconds'),
          voluntarySwitches: sum('voluntarySwitches'),
          involuntarySwitches: sum('involuntarySwitches'),
        },
      ];
    }),
  );
}

/** The ids of the process and of all below it. */
export function pidsOfTree(rootPid: number): number[] {
  return treeOf(rootPid).map(({ pid }) => pid);
}

function threadsOf(pid: number): ProcessUsage[] {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  return threads.flatMap((thread) => {
    const usage = threadUsage(`/proc/${pid}/task/${thread}`, Number(thread) === pid);
    return usage === undefined ? [] : [usage];
  });
}

const VOLUNTARY_SWITCHES = /^voluntary_ctxt_switches:\s*([0-9]+)/m;
const INVOLUNTARY_SWITCHES = /^nonvoluntary_ctxt_switches:\s*([0-9]+)/m;

function threadUsage(folder: string, isMain: boolean): ProcessUsage | undefined {
  try {
    const [user = 0, kernel = 0] = statFields(readFileSync(`${folder}/stat`, 'utf8'), [14, 15]);
    const status = readFileSync(`${folder}/status`, 'utf8');
    const switches = (line: RegExp): number => Number(line.exec(status)?.[1] ?? 0);
    const [userSeconds, kernelSeconds] = [user / TICKS_PER_SECOND, kernel / TICKS_PER_SECOND];
    return {
      ...{ userSeconds, kernelSeconds },
      mainUserSeconds: isMain ? userSeconds : 0,
      mainKernelSeconds: isMain ? kernelSeconds : 0,
      voluntarySwitches: switches(VOLUNTARY_SWITCHES),
      involuntarySwitches: switches(INVOLUNTARY_SWITCHES),
    };
  } catch {
    return undefined; // It has ended meanwhile.
  }
}

/** PostgreSQL's connections end; their time is their parent's then. */
function endedChildren(pid: number): ProcessUsage {
  const nothing = { mainUserSeconds: 0, mainKernelSeconds: 0 };
  const none = { ...nothing, voluntarySwitches: 0, involuntarySwitches: 0 };
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user = 0, kernel = 0] = statFields(line, [16, 17]);
    return {
      ...{ userSeconds: user / TICKS_PER_SECOND, kernelSeconds: kernel / TICKS_PER_SECOND },
      ...none,
    };
  } catch {
    return { userSeconds: 0, kernelSeconds: 0, ...none };
  }
}

/** Fields of a line of `stat` by their numbers; the command in it may hold spaces and brackets. */
function statFields(line: string, numbers: readonly number[]): number[] {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return numbers.map((number) => Number.parseInt(fields[number - 3] ?? '0', 10));
}

/** Resident memory of one process in bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  const line = status.split('\n').find((candidate) => candidate.startsWith('VmRSS:')) ?? '';
  return Number.parseInt(line.slice('VmRSS:'.length), 10) * KIBIBYTE;
}

/** The highest resident memory of one process so far, in bytes. */
export function peakResidentBytes(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  const line = status.split('\n').find((candidate) => candidate.startsWith('VmHWM:')) ?? '';
  return Number.parseInt(line.slice('VmHWM:'.length), 10) * KIBIBYTE;
}
