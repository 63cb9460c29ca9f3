import { codes } from './codes.js';

/** What a success answers where nobody gives a code of its own, by mode (D-41; result codes 7). */
export function successCode(mode: 'INTERNAL' | 'EXTERNAL' | 'LIVE'): string {
  switch (mode) {
    case 'INTERNAL':
      return codes.approvedInternal;
    case 'EXTERNAL':
      return codes.approvedExternal;
    case 'LIVE':
      return codes.approvedLive;
  }
}

/** What an approval answers once somebody, or the time, has decided about it in a review. */
export function reviewedCode(
  decision: 'released' | 'rejected',
  mode: Parameters<typeof successCode>[0],
): string {
  switch (decision) {
    case 'released':
      return successCode(mode);
    case 'rejected':
      return codes.approvedAndRejected;
  }
}
