/** Said of what was approved: by the simulator, and by an acquirer of a test. */
const APPROVALS: ReadonlySet<string> = new Set(['000.100.110', '000.100.112']);

/** Whether a result code says that money moved, or is reserved. */
export function isApproval(code: string): boolean {
  return APPROVALS.has(code);
}
