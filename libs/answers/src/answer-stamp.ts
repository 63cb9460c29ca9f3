/** Three fields that every answer needs (wire contract 2: typed clients refuse it otherwise). */
export interface AnswerStamp {
  readonly ndc: string;
  readonly timestamp: string;
  readonly buildNumber: string;
}

/** The fields that no answer may lack, in their order. */
export function stampFields({ buildNumber, timestamp, ndc }: AnswerStamp): AnswerStamp {
  return { buildNumber, timestamp, ndc };
}

/** `yyyy-MM-dd HH:mm:ss+0000`: the short form, which clients with a fixed pattern can read. */
export function timestampOf(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ')}+0000`;
}
