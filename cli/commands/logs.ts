import { amountText } from "#cli/amounts.ts";
import { only, wholeNumber } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import type { Out, Paint } from "#cli/out.ts";
import { type SettlementClient, type Transaction, Unanswered } from "#sdk/typescript/src/index.ts";
import { sleep } from "#sdk/typescript/src/transport.ts";

/** The largest page of the list. */
const SEEN_AT_ONCE = 100;

export const logs = defineCommand({
  name: "logs",
  summary: "List your settlements, withdrawals and top-ups with their status",
  usage: "[--follow]",
  options: {
    follow: { type: "boolean", short: "f", about: "Continue, and print each change of status" },
    limit: { type: "string", value: "N", default: "20", about: "Number of the newest to list (20)" },
    every: { type: "string", value: "SECONDS", default: "2", about: "Polling interval with --follow (2)" },
  },
  notes: [
    `It follows transactions: the newest ${SEEN_AT_ONCE} settlements, withdrawals and top-ups, as GET /partners/transactions lists them. It does not print changes of older ones.`,
    "Amounts are in units of the currency next to them (129500.00 KES). With --json they are as in the API, with fiat in minor units.",
    'It does not follow requests or callbacks. The console shows requests, and why one was refused, under Developers, Log. For callbacks, run "settle get TX_ID --callbacks".',
  ],
  async run({ values, positionals, out, profile, signal }) {
    only(positionals);
    const limit = wholeNumber(values.limit, "--limit", [1, 100]);
    const pause = wholeNumber(values.every, "--every", [1, 3_600]) * 1_000;
    const client = clientOf(profile());
    const known = new Map<string, string>();
    const first = await newest(client, signal);
    for (const { id, status } of first.slice(limit)) known.set(id, status);
    printChanges(out, known, first.slice(0, limit));
    if (values.follow === true) await follow(client, pause, (found) => printChanges(out, known, found), out, signal);
    return EXIT.done;
  },
});

/** Until Ctrl-C. It continues through an outage: the next poll shows what was missed. */
async function follow(
  client: SettlementClient,
  pause: number,
  report: (found: readonly Transaction[]) => void,
  out: Out,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await sleep(pause, signal);
      report(await newest(client, signal));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Unanswered)) throw error;
      out.note(`${error.message}; still polling …`);
    }
  }
}

async function newest(client: SettlementClient, signal: AbortSignal): Promise<readonly Transaction[]> {
  const page = await client.call({
    surface: "partner",
    method: "GET",
    path: "/partners/transactions",
    query: { limit: SEEN_AT_ONCE },
    signal,
  });
  return (page as { items: Transaction[] }).items;
}

/** Oldest first, as a log is read. */
function printChanges(out: Out, known: Map<string, string>, transactions: readonly Transaction[]): void {
  for (const transaction of transactions.toReversed()) {
    const { id, status } = transaction;
    const before = known.get(id) ?? null;
    if (before === status) continue;
    known.set(id, status);
    out.print({ at: new Date().toISOString(), before, ...transaction }, (paint) => line(transaction, before, paint));
  }
}

function line(transaction: Transaction, before: string | null, paint: Paint): string {
  const { type, id, status, source_amount, source_currency, destination_amount, destination_currency, completed_at, created_at } =
    transaction;
  const at = completed_at ?? created_at;
  const change = before === null ? status : `${before} → ${status}`;
  const end = status === "failed" ? `  ${paint.red(transaction.failure_reason ?? "")}` : "";
  return `${paint.dim(at)}  ${type.padEnd(10)}  ${id}  ${change.padEnd(12)}  ${amountText(source_amount, source_currency)} → ${amountText(destination_amount, destination_currency)}${end}`;
}
