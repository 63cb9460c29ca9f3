/** A setting is well formed and still cannot be used; the message is a sentence. */
export class SettingRefused extends Error {
  override readonly name = 'SettingRefused';
}
