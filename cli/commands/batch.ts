import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { amountText } from "#cli/amounts.ts";
import { only } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT, Trouble } from "#cli/exit.ts";
import { aligned, type Paint } from "#cli/out.ts";
import { parseCsv } from "#domain/csv.ts";
import type { SettlementClient } from "#sdk/typescript/src/index.ts";

type Created = Awaited<ReturnType<SettlementClient["batches"]["create"]>>;
type Batch = Awaited<ReturnType<SettlementClient["batches"]["get"]>>;
type Item = Parameters<SettlementClient["batches"]["create"]>[0]["items"][number];

const REQUIRED = [
  "external_tx_id",
  "source_amount",
  "source_currency",
  "destination_currency",
  "external_merchant_id",
  "chain",
  "wallet_address",
] as const;
const ACTIONS = ["create", "get", "confirm", "cancel", "requote"] as const;

export const batch = defineCommand({
  name: "batch",
  summary: "Create up to 500 settlements from a CSV file, all or none; read, confirm, cancel or requote a batch",
  usage: "create FILE.csv | get BATCH_ID | confirm BATCH_ID | cancel BATCH_ID | requote BATCH_ID",
  options: {
    name: { type: "string", value: "ID", about: "create: external_batch_id (default: derived from the file)" },
    "callback-url": { type: "string", value: "URL", about: "create, confirm: receives batch.completed" },
  },
  notes: [
    `The file's first line names its columns: ${REQUIRED.join(", ")}, and callback_url if you like.`,
    "Creating the same file again makes nothing. It answers with the batch that exists.",
  ],
  async run({ values, positionals, out, profile, signal }) {
    const [word = "", subject = ""] = only(positionals, "ACTION", "FILE.csv or BATCH_ID");
    const action = ACTIONS.find((known) => known === word);
    if (action === undefined) throw new Trouble(`Unknown action "${word}": one of ${ACTIONS.join(", ")}.`);
    const url = values["callback-url"] === undefined ? {} : { callback_url: values["callback-url"] };
    const asked = { signal };
    const read = action === "create" ? readFile(subject) : null;
    const { batches } = clientOf(profile());
    if (read !== null) {
      const made: Created = await batches.create({ external_batch_id: values.name ?? read.name, items: read.items, ...url }, asked);
      out.print(made, (paint) => batchView(made, paint));
      out.note(`\nNext: settle batch confirm ${made.batch_id}${made.callback_url === null ? " --callback-url URL" : ""}`);
      return EXIT.done;
    }
    const changed =
      action === "confirm"
        ? await batches.confirm(subject, url, asked)
        : await batches[action === "create" ? "get" : action](subject, asked);
    out.print(changed, (paint) => batchView(changed, paint));
    return EXIT.done;
  },
});

/** @throws Trouble that names the line and the column. */
function readFile(path: string): { name: string; items: Item[] } {
  const bytes = contentOf(path);
  const [head = [], ...lines] = linesOf(path, bytes.toString("utf8").replace(/^\uFEFF/, ""));
  const unknown = head.filter((column) => column !== "callback_url" && !REQUIRED.some((known) => known === column));
  const missing = REQUIRED.filter((column) => !head.includes(column));
  if (unknown.length > 0) throw new Trouble(`${path}: unknown columns ${unknown.join(", ")}.`);
  if (missing.length > 0) throw new Trouble(`${path}: the columns ${missing.join(", ")} are missing.`);
  const items = lines.map((cells, index) => itemOf(path, index + 2, new Map(head.map((column, place) => [column, cells[place] ?? ""]))));
  return { name: `cli-${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}`, items };
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new Trouble(`${path} cannot be read.`);
  }
}

function linesOf(path: string, text: string): string[][] {
  try {
    return parseCsv(text);
  } catch (error) {
    if (error instanceof RangeError) throw new Trouble(`${path}: ${error.message}.`);
    throw error;
  }
}

function itemOf(path: string, line: number, cells: ReadonlyMap<string, string>): Item {
  const text = (column: string) => {
    const cell = cells.get(column) ?? "";
    if (cell === "") throw new Trouble(`${path}, line ${line}: ${column} is empty.`);
    return cell;
  };
  const amount = text("source_amount");
  if (!/^\d{1,16}$/.test(amount))
    throw new Trouble(`${path}, line ${line}: source_amount must be a whole number of minor units, not "${amount}".`);
  const url = cells.get("callback_url") ?? "";
  return {
    external_tx_id: text("external_tx_id"),
    source_amount: Number(amount),
    source_currency: text("source_currency"),
    destination_currency: text("destination_currency"),
    external_merchant_id: text("external_merchant_id"),
    chain: text("chain"),
    wallet_address: text("wallet_address"),
    ...(url === "" ? {} : { callback_url: url }),
  };
}

/** A batch, as people read it. */
function batchView(made: Batch, paint: Paint): string {
  const counts = Object.entries(made.counts).flatMap(([status, count]) => (count === 0 ? [] : [`${count} ${status}`]));
  const totals = made.totals.map((total): [string, string] => [
    `${total.source_currency} to ${total.destination_currency}`,
    `${amountText(total.source_amount, total.source_currency)} for ${amountText(total.destination_amount, total.destination_currency)}, after fees of ${amountText(total.platform_fee, total.destination_currency)}`,
  ]);
  const approval = made.approval_state === null ? "" : `, approval ${made.approval_state}`;
  return aligned(
    [
      ["Batch", paint.bold(made.batch_id)],
      ["Status", `${made.status}${approval}`],
      ["Items", counts.join(", ")],
      ...totals,
      ["Valid until", made.status === "quoted" ? made.expires_at : null],
      ["Your reference", made.external_batch_id],
      ["Callback URL", made.callback_url],
    ],
    paint,
  );
}
