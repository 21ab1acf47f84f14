/**
 * `npm run compare` reads from the chains the transactions of the treasury's wallets that the database does not know (after a restore from
 * a backup, or a failover that lost the last commits), and names the open payments that they made. It changes nothing.
 *
 * `-- --book --by ana@example.com` proposes, in that admin's name, to book those payments as made. In live mode a second admin confirms each
 * in the console; in the sandbox they are booked at once. If it is unclear which of several equal payments was made, `--choose tr_…=0x…` names
 * it (repeatable). It uses the same database as `npm run audit`.
 *
 * `-- --lost 0x… --by ana@example.com --reason "…"` proposes to book such a transaction as a loss: it made no owed payment.
 *
 * On chains whose payments lapse, the signing journal knows what was lost (`SIGNING_JOURNAL`, on the signer's machine), and the chain says what
 * became of it. What is owed here needs no booking: it ends by itself once the halt is lifted.
 *
 * `-- --add-to-journal --by ana@example.com --confirmed-by ben@example.com --reason "…"` adds to that journal what the wallets have paid on such
 * chains and it does not have, because it was put back along with the database.
 *
 * `-- --export FILE` writes each of those transactions to a CSV file: amount, time, recipient and partner, as far as known.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { By } from "#domain/access.ts";
import { csvLine, parseCsv } from "#domain/csv.ts";
import type { PaidTransfer } from "#domain/foreign-transaction.ts";
import { exactText } from "#domain/money.ts";
import { bookComparison } from "#server/services/treasury/book-comparison.ts";
import { bookLoss, MOST_LOSSES } from "#server/services/treasury/book-loss.ts";
import { type ChainComparison, compareTreasury } from "#server/services/treasury/compare-treasury.ts";
import { findChainOf } from "#server/services/treasury/find-loss.ts";
import { type ForeignPayment, listForeignPayments } from "#server/services/treasury/list-foreign-payments.ts";
import { withBooks } from "./books.ts";
import { runCommand } from "./command.ts";
import { addToJournal, describeLapsing, proposeLapsingLosses } from "./compare-lapsing.ts";
import { inNameOf } from "./wired.ts";

const USAGE = `Reads from the chains what the treasury's wallets sent and the database does not know, and which open payments they made. It changes nothing.

  --export FILE       writes every one of them as CSV: block, time, currency, amount, recipient, partner, owed payment
  --book --by EMAIL   proposes in that admin's name that the payments found are booked as made
  --choose tr_…=0x…   which of several payments alike a transaction made; as often as need be
  --lost 0x…          proposes, with --by EMAIL and --reason TEXT, that this transaction is booked as lost: it paid nothing that is
                      owed, and its money does not come back. As often as need be. Nothing is compared then
  --lost-in FILE      the same of every line without an owed payment in a file that --export wrote
  --add-to-journal    adds to the signing journal, with --by EMAIL, --confirmed-by EMAIL and --reason TEXT, what the wallets have paid on chains
                      whose payments lapse and the journal does not have. --choose says which of several payments alike it made
  --help              this text

Exit code: 0 nothing is left to explain, 1 something is, 2 it could not be compared.
`;

async function main(): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      book: { type: "boolean" },
      by: text,
      choose: { ...text, multiple: true },
      export: text,
      lost: { ...text, multiple: true },
      "lost-in": text,
      "add-to-journal": { type: "boolean" },
      "confirmed-by": text,
      reason: text,
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const mode = process.env.MODE === "live" ? ("live" as const) : ("sandbox" as const);
  return await withBooks(async ({ database, evm, lapsing }) => {
    const lost = [...(values.lost ?? []), ...(values["lost-in"] === undefined ? [] : unpaidIn(values["lost-in"]))];
    if (lost.length > 0) {
      if (values.by === undefined || values.reason === undefined) throw new Error("--lost wants --by EMAIL and --reason TEXT.");
      const by = await inNameOf(database.db, values.by);
      const ctx = { db: database.db, evm, lapsing, mode, clock: { now: () => new Date() } };
      const proposed = await proposeLapsingLosses(ctx, { by, hashes: lost, reason: values.reason });
      for (const line of [...proposed.lines, ...(await proposeLosses(ctx, { by, hashes: proposed.others, reason: values.reason }))])
        process.stdout.write(`${line}\n`);
      return 0;
    }
    if (values["add-to-journal"]) {
      const { by: first, "confirmed-by": second, reason, choose = [] } = values;
      if (first === undefined || second === undefined || reason === undefined)
        throw new Error("--add-to-journal wants --by EMAIL, --confirmed-by EMAIL and --reason TEXT.");
      const [by, confirmedBy] = [await inNameOf(database.db, first), await inNameOf(database.db, second)];
      const chosen = new Map(choose.map((one) => one.split("=") as [string, string]));
      const command = { by, confirmedBy, reason, chosen };
      const { lines, open } = await addToJournal({ db: database.db, lapsing, clock: { now: () => new Date() } }, command);
      for (const line of lines) process.stdout.write(`${line}\n`);
      return open === 0 ? 0 : 1;
    }
    const compared = await compareTreasury({ db: database.db, evm });
    const payments = await listForeignPayments({ db: database.db, evm }, compared);
    for (const chain of compared) process.stdout.write(`${describeChain(chain, payments).join("\n")}\n`);
    if (values.export !== undefined) {
      writeFileSync(values.export, toCsv(payments), { mode: 0o600 });
      process.stdout.write(`${values.export}: ${payments.length} payments\n`);
    }
    const elsewhere = await describeLapsing({ db: database.db, lapsing });
    for (const line of elsewhere.lines) process.stdout.write(`${line}\n`);
    const sorted = sort(compared, values.choose ?? []);
    const { clear, open } = { ...sorted, open: sorted.open + elsewhere.open };
    if (values.book && clear.length > 0) {
      if (values.by === undefined) throw new Error("--book wants --by EMAIL: the admin in whose name it is proposed.");
      const by = await inNameOf(database.db, values.by);
      for (const { transferId, hash, outcome, detail } of await bookComparison({ db: database.db, evm, mode }, { by, paid: clear }))
        process.stdout.write(`${outcome} ${transferId} ${hash}${detail === null ? "" : ` (${detail})`}\n`);
      return open === 0 ? 0 : 1;
    }
    return clear.length + open === 0 ? 0 : 1;
  });
}

function describeChain(
  { chain, trouble, wallets, paid, unexplained, besides }: ChainComparison,
  payments: readonly ForeignPayment[],
): string[] {
  if (trouble !== null) return [`${chain}: cannot be compared: ${trouble}`];
  return [
    `${chain}: ${wallets.reduce((sum, { nonces }) => sum + nonces.length, 0)} nonces were spent that the database does not know`,
    ...wallets.filter(({ unread }) => unread.length > 0).map(({ address, unread }) => `  ${address}: ${unread.length} could not be read`),
    ...paid.flatMap(({ payment, transaction, place, others }) => {
      const amount = `${exactText(payment.amountBase, payment.tokenDecimals)} ${payment.currency}`;
      const line = `  ${payment.id} (${payment.purpose} ${payment.ownerId}, ${amount} to ${payment.recipient}) was paid by ${transaction.hash}${place === null ? "" : `, log ${place}`}`;
      if (others.length === 0) return [line];
      return [`${line}, or one of ${others.map(({ id }) => id).join(", ")} was: choose with --choose ${payment.id}=${transaction.hash}`];
    }),
    ...besides.map(({ hash, place, amountBase, decimals, currency, recipient }) => {
      const what = `${exactText(amountBase, decimals)} ${currency} to ${recipient}`;
      return `  ${hash}, log ${place}: ${what} paid nothing that is owed here: explain it in suspense`;
    }),
    ...printUnexplained(payments.filter(({ hash }) => unexplained.some((one) => one.hash === hash))),
  ];
}

type LossContext = Parameters<typeof bookLoss>[0];

/** One proposal per chain and batch of transactions. */
async function proposeLosses(ctx: LossContext, { by, hashes, reason }: { by: By; hashes: string[]; reason: string }): Promise<string[]> {
  const named = await Promise.all(hashes.map(async (hash) => ({ hash, chain: await findChainOf(ctx, hash.toLowerCase()) })));
  const lines: string[] = [];
  for (const [chain, same] of Map.groupBy(named, (one) => one.chain)) {
    if (chain === null) throw new Error(`No node knows ${same.map(({ hash }) => hash).join(", ")}.`);
    for (let from = 0; from < same.length; from += MOST_LOSSES) {
      const some = same.slice(from, from + MOST_LOSSES).map(({ hash }) => hash);
      const { result, proposal } = await bookLoss(ctx, { by, chain, hashes: some, reason });
      lines.push(`${result === null ? "proposed" : "booked"} ${proposal.id} ${chain}: ${some.length} lost`);
    }
  }
  return lines;
}

const NOBODY = "of no partner that is known here";

/** What made no owed payment, partner by partner. */
function printUnexplained(payments: readonly ForeignPayment[]): string[] {
  return [...Map.groupBy(payments, ({ partners }) => partners.join(" or ") || NOBODY)].flatMap(([whose, theirs]) => [
    `  ${theirs.length} paid nothing that is owed here (${whose}): confirmed after the backup, or made by somebody else`,
    ...theirs.map(({ hash, nonce, at, amount, currency, recipient, succeeded }) => {
      const what = amount === null ? `a call of ${currency}` : `${amount} ${currency} to ${recipient}`;
      return `    ${hash} (nonce ${nonce}, ${at?.toISOString() ?? "unknown time"}): ${what}${succeeded ? "" : ", reverted"}`;
    }),
  ]);
}

const COLUMNS = "partner,chain,wallet,nonce,hash,log_index,block,time,succeeded,currency,amount,recipient,paid_debt".split(",");

function toCsv(payments: readonly ForeignPayment[]): string {
  const lines = payments.map(
    ({ partners, chain, wallet, nonce, hash, logIndex, height, at, succeeded, currency, amount, recipient, transferId }) => [
      partners.join(" or "),
      chain,
      wallet,
      String(nonce),
      hash,
      logIndex === null ? "" : String(logIndex),
      String(height),
      at?.toISOString() ?? "",
      succeeded ? "yes" : "no",
      currency,
      amount ?? "",
      recipient,
      transferId ?? "",
    ],
  );
  return [COLUMNS, ...lines].map(csvLine).join("");
}

/** The transactions that made no owed payment, in a file that was exported. @throws Error for another file */
function unpaidIn(file: string): string[] {
  const [header = [], ...lines] = parseCsv(readFileSync(file, "utf8"));
  if (header.join() !== COLUMNS.join()) throw new Error(`${file} is no file that --export wrote.`);
  const [hash, payment] = [COLUMNS.indexOf("hash"), COLUMNS.indexOf("paid_debt")];
  const paid = new Set(lines.flatMap((cells) => (cells[payment] === "" ? [] : [cells[hash]])));
  return [...new Set(lines.map((cells) => cells[hash] ?? ""))].filter((one) => !paid.has(one));
}

/** What to book: clear cases, and a person's choices; `open`: how many still need a choice. */
function sort(compared: readonly ChainComparison[], chosen: readonly string[]): { clear: PaidTransfer[]; open: number } {
  const clear: PaidTransfer[] = [];
  let open = 0;
  for (const { paid, unexplained, besides, wallets, trouble } of compared) {
    open += unexplained.length + besides.length + wallets.filter(({ unread }) => unread.length > 0).length + (trouble === null ? 0 : 1);
    for (const finding of paid) {
      const payments = [finding.payment, ...finding.others];
      const choice = payments.find(({ id }) => chosen.includes(`${id}=${finding.transaction.hash}`));
      if (finding.others.length === 0) clear.push(finding);
      else if (choice) clear.push({ ...finding, payment: choice });
      else open += 1;
    }
  }
  return { clear, open };
}

await runCommand(main, { failed: 2 });
