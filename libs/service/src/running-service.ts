/** A service that has started and takes work. */
export interface RunningService {
  /** Takes no more work, lets go of what it holds and resolves; may be called twice. */
  close(): Promise<void>;
}
