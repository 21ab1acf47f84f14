/** Texts of a partner's month. */

export const PAGE = { title: "Statements" };

export const STATEMENTS = {
  month: "Month",
  monthHint: "In UTC, by the day on which a payment ended",
  choosePartner: "Choose a partner to see its month.",
  balances: "Balance",
  balancesCaption: "The balance at the beginning and at the end of the month",
  opening: "At the beginning",
  closing: "At the end",
  balanceExplained: "Above zero the partner owes the operator; below zero it is owed.",
  noBalance: "No account yet",
  days: "By day and pair",
  daysCaption: "Settlements that ended in this month, by day and pair",
  day: "Day",
  none: "No settlement ended in this month",
  ties: "Same as the ledger: {amount} settled.",
  differs: "The days add up to {settled}, and the ledger says {posted}. Run the audit.",
};

export const OWN_FILE = {
  title: "Compare your own file",
  explained:
    "A CSV file with the columns {columns}. The reference is yours, or our settlement id. The amount is the source amount. The file is compared and not kept.",
  choose: "Your file",
  rows: "rows, of the month and of your file",
  compared: (rows: number) => `${rows === 1 ? "1 row was" : `${rows.toLocaleString("en")} rows were`} compared.`,
  allSame: (executed: number) =>
    `Every row is the same. ${executed === 1 ? "1 settlement was" : `${executed.toLocaleString("en")} settlements were`} paid out in this month.`,
  differ: (rows: number) => (rows === 1 ? "1 row differs." : `${rows.toLocaleString("en")} rows differ.`),
  caption: "Rows that differ",
  what: "What differs",
  yours: "In your file",
  ours: "Here",
  wrongAmount: (row: number) => `The amount in row ${row} is not a plain decimal, such as 1234.50.`,
  wrongCurrency: (row: number) => `The currency in row ${row} is not a code such as KES.`,
  wrongReference: (row: number) => `Row ${row} has no reference.`,
  kinds: {
    unknown: "Not known here",
    not_executed: "Not paid out",
    other_month: "Paid out in another month",
    other_currency: "Another currency",
    other_amount: "Another amount",
    twice: "Twice in your file",
    missing: "Not in your file",
  },
};
