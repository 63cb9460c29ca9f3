const REACHED_WITHIN_MS = 2_000;

/** Whether a gateway answers there; what it answers needs no access (D-40). */
export async function isReached(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(REACHED_WITHIN_MS);
    const response = await fetch(`${url}/v1/resultcodes`, { signal });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
