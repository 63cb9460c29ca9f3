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

/** One line of /proc/<pid>/stat; the command in it may hold spaces and brackets. */
function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const line = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const field = (number: number): number => Number.parseInt(fields[number - 3] ?? '0', 10);
    return {
      pid,
      parentPid: field(4),
      ownTicks: field(14) + field(15),
      endedChildrenTicks: field(16) + field(17),
    };
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
