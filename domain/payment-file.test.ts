import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLine } from "./csv.ts";
import { PAYMENT_COLUMNS, type PaymentRow, partName, partsOf, readPaymentFile, repeatedReferences } from "./payment-file.ts";

const ROW: PaymentRow = {
  external_tx_id: "salary-1",
  external_merchant_id: "m-1",
  amount: "1250.50",
  source_currency: "KES",
  destination_currency: "USDT",
  chain: "eip155:31337",
  wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
};
const file = (rows: readonly PaymentRow[], separator = ",", end = "\r\n") =>
  [PAYMENT_COLUMNS.join(separator), ...rows.map((row) => PAYMENT_COLUMNS.map((column) => row[column]).join(separator))].join(end);

describe("a file of payments", () => {
  it.each([
    ["commas and CRLF", file([ROW])],
    ["semicolons and bare newlines", file([ROW], ";", "\n")],
    ["tabs", file([ROW], "\t")],
    ["a byte order mark", `\uFEFF${file([ROW])}`],
    ["empty lines and spaces around cells", file([{ ...ROW, amount: " 1250.50 " }]).replace("\r\n", "\r\n\r\n")],
    ["a head in capitals", file([ROW]).replace("amount", "Amount")],
  ])("is read with %s", (_, text) => {
    expect(readPaymentFile(text)).toEqual([ROW]);
  });

  it("has its columns in any order, quoted line breaks, and cells that a spreadsheet would calculate, as text", () => {
    const text = `amount;wallet_address;chain;destination_currency;source_currency;external_merchant_id;external_tx_id
1;0x0;eip155:1;USDT;KES;"two
lines; quoted";=1+1
2;+1;-1;@SUM(A1);KES;m;b`;
    expect(readPaymentFile(text)).toMatchObject([
      { external_merchant_id: "two\nlines; quoted", external_tx_id: "=1+1" },
      { wallet_address: "+1", chain: "-1", destination_currency: "@SUM(A1)" },
    ]);
  });

  it("is read as it was written, whatever the texts are", () => {
    const cell = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text === text.trim() && !/^[=+\-@＝＋－＠]/.test(text));
    const row = fc.record(Object.fromEntries(PAYMENT_COLUMNS.map((column) => [column, cell])) as Record<keyof PaymentRow, typeof cell>);
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        const text = csvLine(PAYMENT_COLUMNS) + rows.map((each) => csvLine(PAYMENT_COLUMNS.map((column) => each[column]))).join("");
        expect(readPaymentFile(text)).toEqual(rows);
      }),
    );
  });

  it.each([
    ["misses wallet_address", file([ROW]).replace(",wallet_address", "")],
    ["has unknown columns: source_amount", file([ROW]).replace("amount", "source_amount")],
    ["names chain twice", file([ROW]).replace("chain,", "chain,chain,")],
    ["has no payments", file([])],
    ["has 10001 payments", file(Array.from({ length: 10_001 }, () => ROW))],
    ["is not valid CSV", `${file([ROW])}\r\n"never closed`],
    ["Row 1 has 8 cells", `${file([ROW])},more`],
  ])("is refused with a sentence where it %s", (sentence, text) => {
    expect(() => readPaymentFile(text)).toThrow(sentence);
  });

  it("names the row of a reference that occurs twice", () => {
    expect(
      repeatedReferences([ROW, { ...ROW, external_tx_id: "b" }, ROW, { ...ROW, external_tx_id: "" }, { ...ROW, external_tx_id: "" }]),
    ).toEqual([{ row: 2, column: "external_tx_id", message: "is already in row 1" }]);
  });

  it("becomes batches of up to 500 rows, in order and with a name each", () => {
    const parts = partsOf(Array.from({ length: 1_001 }, (_, row) => row));
    expect(parts.map((part) => [part[0], part.length])).toEqual([
      [0, 500],
      [500, 500],
      [1_000, 1],
    ]);
    expect([partName("march", 2, 3), partName("march", 0, 1)]).toEqual(["march 3/3", "march"]);
  });
});
