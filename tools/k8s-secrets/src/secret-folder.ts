import { random } from '@sluice/identifiers';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** How often each thing was done. */
export interface Tally {
  kept: number;
  made: number;
  renewed: number;
}

const OWN_FILE_MODE = 0o600;
const OWN_FOLDER_MODE = 0o700;
const NAME_BYTES = 6;

/** The files of one installation, readable by their owner alone. Paths are relative to the folder. */
export class SecretFolder {
  readonly tally: Tally = { kept: 0, made: 0, renewed: 0 };

  constructor(readonly path: string) {}

  /** Undefined when there is none. */
  async read(file: string): Promise<string | undefined> {
    return readFile(join(this.path, file), 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
  }

  /** Makes the folder of a file, for whoever writes the file himself. */
  async folderOf(file: string): Promise<string> {
    const path = join(this.path, file);
    await mkdir(dirname(path), { recursive: true, mode: OWN_FOLDER_MODE });
    return path;
  }

  /** Leaves the file as it is, or makes it; resolves to what is in it. */
  async keep(file: string, make: () => string): Promise<string> {
    const present = await this.read(file);
    if (present !== undefined) {
      await this.found(file);
      return present;
    }
    const text = make();
    await this.write(file, text);
    return text;
  }

  /** Writes what is made of other files, whatever was there. */
  async write(file: string, text: string): Promise<void> {
    const present = await this.read(file);
    if (present === text) return this.found(file);
    const path = await this.folderOf(file);
    // Under another name first: a kill in between leaves no half key.
    const unfinished = `${path}.${random(NAME_BYTES).toString('hex')}`;
    try {
      await writeFile(unfinished, text, { mode: OWN_FILE_MODE, flag: 'wx' });
      await rename(unfinished, path);
    } finally {
      await rm(unfinished, { force: true });
    }
    this.tally[present === undefined ? 'made' : 'renewed'] += 1;
  }

  /** Notes a file that is as it should be, and takes it away from everybody else. */
  async found(file: string): Promise<void> {
    await chmod(join(this.path, file), OWN_FILE_MODE);
    this.tally.kept += 1;
  }

  /** Deletes everything. */
  async clear(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
