import type { DetailsToHold, SavingVault, SecretDetails } from '@sluice/contracts';

/** The part of the vault for what is saved, as a test plays it. */
export class ScriptedSavings implements SavingVault {
  /** What is saved by now. */
  readonly held = new Map<string, SecretDetails>();
  readonly lives: number[] = [];
  readonly forgotten: string[] = [];
  isAway = false;
  /** It takes, and does not forget. */
  isForgetful = true;

  saveDetails({ details, inMemory }: DetailsToHold, lifeMs: number): Promise<string> {
    if (this.isAway) return Promise.reject(new Error('the vault is away'));
    const reference = `vault-0.s${String(this.lives.length).padStart(32, '0')}`;
    this.held.set(reference, { ...details, ...inMemory });
    this.lives.push(lifeMs);
    return Promise.resolve(reference);
  }

  readSaved(reference: string): Promise<SecretDetails | undefined> {
    if (this.isAway) return Promise.reject(new Error('the vault is away'));
    return Promise.resolve(this.held.get(reference));
  }

  forgetSaved(reference: string): Promise<void> {
    if (this.isAway || !this.isForgetful) return Promise.reject(new Error('the vault is away'));
    this.held.delete(reference);
    this.forgotten.push(reference);
    return Promise.resolve();
  }

  /** For an object that has more than this. */
  port(): SavingVault {
    return {
      saveDetails: (details, lifeMs) => this.saveDetails(details, lifeMs),
      readSaved: (reference) => this.readSaved(reference),
      forgetSaved: (reference) => this.forgetSaved(reference),
    };
  }

  reset(): void {
    this.held.clear();
    this.lives.length = 0;
    this.forgotten.length = 0;
    this.isAway = false;
    this.isForgetful = true;
  }
}
