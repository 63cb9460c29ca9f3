import { BIN_FILE_BYTES_MAX, type BinTable, parseBinTable } from '@sluice/answers';
import { textOfNamedFile } from '@sluice/service';

/** The table in a file, for `@Variable`. Throws an error that says what the file must be. */
export function readBinFile(path: string): BinTable {
  return parseBinTable(textOfNamedFile(path, BIN_FILE_BYTES_MAX));
}
