import { CELLS_MAX } from '@sluice/contracts';
import { urlList, Variable } from '@sluice/service';
import { ArrayMinSize, IsOptional } from 'class-validator';

const BETWEEN_CELLS = ';';

/** Where the cells of payments are, for those who ask it or send it commands (page 0047). */
export class CellSettings {
  @Variable('PAYMENTS_CELLS', {
    parse: urlsOfCells,
    meaning:
      'the instances of each cell of payments, semicolons between cells; absent: one cell, PAYMENTS_URLS',
  })
  @IsOptional()
  @ArrayMinSize(1)
  readonly cells?: readonly (readonly string[])[];
}

/** The first cell comes first. Throws when there are too many, or an address is none. */
function urlsOfCells(text: string): readonly (readonly string[])[] {
  const cells = text.split(BETWEEN_CELLS).map((urls) => urlList(urls));
  if (cells.length > CELLS_MAX) throw new Error(`must name ${String(CELLS_MAX)} cells at most`);
  return cells;
}
