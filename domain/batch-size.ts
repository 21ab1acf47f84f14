/** The most items of a batch (contract, part 11). */
export const MOST_ITEMS = 500;
