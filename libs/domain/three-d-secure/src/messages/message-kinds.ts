/** The versions of EMV 3-D Secure that are spoken here, the oldest first. */
export const messageVersions = ['2.1.0', '2.2.0', '2.3.1'] as const;

/** One of them. */
export type MessageVersion = (typeof messageVersions)[number];

/** The messages that have a table here; those by which directory servers announce works do not. */
export const messageTypes = [
  ...(['AReq', 'ARes', 'CReq', 'CRes', 'RReq', 'RRes', 'PReq', 'PRes', 'Erro'] as const),
] as const;

/** One of them. */
export type MessageType = (typeof messageTypes)[number];

/** Where the shopper is (`deviceChannel`): in an app, at a browser, not there. */
export const deviceChannels = ['01', '02', '03'] as const;

/** One of them. */
export type DeviceChannel = (typeof deviceChannels)[number];

/** `messageCategory`: a payment, or none. */
export const messageCategories = ['01', '02'] as const;

/** One of them. */
export type MessageCategory = (typeof messageCategories)[number];

/** A message as it is sent and received: nothing more is known of it than that it is an object. */
export type Message = Readonly<Record<string, unknown>>;

/** Whether a value is a version that is spoken here. */
export function isMessageVersion(value: unknown): value is MessageVersion {
  return messageVersions.some((version) => version === value);
}

/** Whether a value names a message that has a table here. */
export function isMessageType(value: unknown): value is MessageType {
  return messageTypes.some((type) => type === value);
}

/** Whether a version is this one or came after it. */
export function isSince(version: MessageVersion, first: MessageVersion): boolean {
  return messageVersions.indexOf(version) >= messageVersions.indexOf(first);
}
