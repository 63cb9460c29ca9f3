/** It cannot be done like this; the message is a sentence that says what to do instead. */
export class DeployRefused extends Error {
  override readonly name = 'DeployRefused';
}
