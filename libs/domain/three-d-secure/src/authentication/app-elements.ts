import { DEVICE_INFO, type DeviceInfo, readDeviceInfo } from '@sluice/parameters';
import type { MessageVersion } from '../messages/message-kinds.js';

type Parameters = Readonly<Record<string, string>>;

/** The elements of AReq that the SDK of an app has made; without an SDK they are not known. */
const ELEMENTS = [
  ...(['sdkAppID', 'sdkEncData', 'sdkEphemPubKey', 'sdkMaxTimeout', 'sdkReferenceNumber'] as const),
  ...(['sdkTransID', 'deviceRenderOptions'] as const),
] as const;
/** Since 2.3.1; an SDK that says nothing of itself is whole in the app. */
const KINDS_OF_SDK = ['sdkType', 'defaultSdkType', 'splitSdkType'] as const;
const WHOLE = { sdkType: '01', defaultSdkType: { sdkVariant: '01' } };
const MINUTE_MS = 60_000;

/** What the SDK of the shopper's app has made for a payment; undefined where there is none, or it cannot be read. */
export function deviceInfoIn(parameters: Parameters): DeviceInfo | undefined {
  const said = parameters[DEVICE_INFO];
  const read = said === undefined ? undefined : readDeviceInfo(said);
  return read !== undefined && 'info' in read ? read.info : undefined;
}

/** How long the app gives its shopper for a challenge. */
export function appChallengeMs({ challengeMinutes }: DeviceInfo): number {
  return challengeMinutes * MINUTE_MS;
}

/** The id of the transaction in the app. */
export function sdkTransactionId({ elements }: DeviceInfo): string {
  return String(elements['sdkTransID']);
}

/** The version that the SDK speaks, if it is one that others speak, too; or any of them if it does not say. */
export function versionOfApp(
  { version }: DeviceInfo,
  versions: readonly MessageVersion[],
): readonly MessageVersion[] {
  return version === undefined ? versions : versions.filter((one) => one === version);
}

interface FactsOfApp {
  readonly query: { readonly parameters: Parameters };
}

/** A row per element, as those of other requests; what does not fit is refused, for an SDK may not be misquoted. */
export const appElements = Object.fromEntries([
  ...ELEMENTS.map((name) => [name, row(name, `${DEVICE_INFO} (${name})`)] as const),
  ...KINDS_OF_SDK.map((name) => [name, row(name)] as const),
  ['sdkServerSignedContent', row('sdkServerSignedContent')] as const,
]);

function row(name: string, demands?: string) {
  return {
    value: ({ query }: FactsOfApp): unknown => {
      const elements = deviceInfoIn(query.parameters)?.elements ?? {};
      return { ...(elements['sdkType'] === undefined && WHOLE), ...elements }[name];
    },
    ...(demands !== undefined && { demands }),
    from: [DEVICE_INFO],
    channels: ['01'] as const,
  };
}
