export const BANK_FILE = {
  title: "Book a bank's file",
  explained:
    "A CSV file of what partners have paid. Each line is booked once by its reference. A file that is read again books nothing twice.",
  columns:
    "Columns, in any order: {columns}. The partner is its slug or its id, the amount in units of the currency, the day such as 2026-11-27.",
  choose: "The file",
  caption: "Faults of the file",
  row: "Row",
  column: "Column",
  fault: "What is wrong",
  faults: (count: number) =>
    count === 1 ? "1 fault. Correct the file and choose it again." : `${count} faults. Correct the file and choose it again.`,
  fresh: (fresh: number, known: number) => `${fresh} new, ${known} booked before.`,
  nothingNew: "Nothing in it is new.",
  book: (count: number) => (count === 1 ? "Book 1 payment…" : `Book ${count} payments…`),
  bookTitle: "Book the payments of this file",
  bookMeans: "All of them or none. In live mode another admin confirms them together first.",
  bookIt: "Book",
  booked: (count: number) => (count === 1 ? "1 payment booked" : `${count} payments booked`),
  proposed: "Proposed. Another admin must confirm it under Proposals.",
};

export const PAGE = { title: "Book a bank's file" };
