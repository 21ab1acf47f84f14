/**
 * `npm run journal` compares the signing journal with the database: whether it can be trusted, each wallet's highest signed nonce, and what was
 * signed in this hour and day. It changes nothing.
 *
 * `-- --rebuild --by ana@example.com --confirmed-by ben@example.com --reason "…"` begins another journal, from the database and the former
 * one, while the workers are stopped. `--unpaid settlement:st_…` (repeatable) says that this owner was never paid by what the former journal
 * has of it.
 *
 * It runs on the signer's machine, with the signer's `SIGNING_JOURNAL`, and uses the same database as `npm run audit`.
 */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureSigningJournal, listAllSequences } from "#db/queries/transfers/signing-journal.ts";
import { openDisk } from "#server/adapters/journal/disk.ts";
import { firstBytes } from "#server/adapters/journal/open-journal.ts";
import { readAsFarAsPossible } from "#server/adapters/journal/read-lines.ts";
import { adoptJournal, drawUpJournal } from "#server/services/treasury/rebuild-journal.ts";
import { withBooks } from "./books.ts";
import { runCommand } from "./command.ts";
import { inNameOf } from "./wired.ts";

const USAGE = `Compares the signing journal with the database. It changes nothing.

  --rebuild               begins another journal, from the database and what can be read of the former one. The workers must be stopped
  --by EMAIL              the admin who does that,
  --confirmed-by EMAIL    the second admin,
  --reason TEXT           and why
  --unpaid OWNER          as settlement:st_…: what the former journal has of it was never mined and never will be. As often as need be
  --help                  this text

Exit code: 0 journal and database agree, or another journal is begun; 1 they do not; 2 it could not be done.
`;

type Books = Parameters<Parameters<typeof withBooks>[0]>[0];

async function main(): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      rebuild: { type: "boolean" },
      by: text,
      "confirmed-by": text,
      reason: text,
      unpaid: { ...text, multiple: true },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const path = process.env.SIGNING_JOURNAL || join(process.env.DATA_DIR || ".data", "signing-journal.log");
  return await withBooks(async (books) => {
    if (!values.rebuild) return await compare(books, path);
    const { by, "confirmed-by": second, reason } = values;
    if (by === undefined || second === undefined || reason === undefined)
      throw new Error("--rebuild wants --by EMAIL, --confirmed-by EMAIL and --reason TEXT.");
    return await rebuild(books, path, { by, second, reason, unpaid: values.unpaid ?? [] });
    // It does what only a worker may: another journal, and a wallet's next nonce.
  }, "worker");
}

/** What the file says; null: there is none. */
const fileAt = (path: string) => (existsSync(path) ? readAsFarAsPossible(readFileSync(path)) : null);

async function compare({ database: { db } }: Books, path: string): Promise<number> {
  const { installation, records } = await ensureSigningJournal(db);
  const file = fileAt(path);
  if (file === null) return say(1, `✗ ${path} is missing.`);
  const { lines, damage } = file;
  const faults = [
    ...(damage === null ? [] : [damage]),
    ...(lines.installation === installation ? [] : [`It is of another installation (${lines.installation}, not ${installation}).`]),
    ...(lines.records < records ? [`It has ${lines.records} records, and it had ${records}: it was cut off, or is an older copy.`] : []),
  ];
  say(0, `${path}: ${lines.records} records`);
  for (const chain of lines.state.chains()) {
    const next = new Map((await listAllSequences(db, chain)).map(({ address, nextNonce }) => [address.toLowerCase(), nextNonce]));
    for (const { wallet, mark } of lines.state.marks(chain)) {
      const own = next.get(wallet) ?? null;
      say(0, `  ${chain} ${wallet}: nonce ${mark} is the highest signed, the database's next is ${own ?? "not known"}`);
      if (own === null || own <= mark) faults.push(`The database is behind on ${wallet}: it was restored, or lost its last commits.`);
    }
  }
  for (const [name, hours] of [
    ["hour", 0],
    ["day", 23],
  ] as const)
    for (const { chain, token, amountBase } of lines.state.amounts(new Date(Date.now() - hours * 3_600_000)))
      say(0, `  signed in this ${name}: ${amountBase} base units of ${token ?? "the coin"} on ${chain}`);
  for (const fault of faults) say(0, `✗ ${fault}`);
  return faults.length === 0 ? say(0, "✓ journal and database agree") : 1;
}

type Rebuild = { by: string; second: string; reason: string; unpaid: readonly string[] };

async function rebuild({ database: { db }, evm }: Books, path: string, { by, second, reason, unpaid }: Rebuild): Promise<number> {
  const ctx = { db, evm, clock: { now: () => new Date() } };
  const file = fileAt(path);
  if (file?.damage) say(0, file.damage);
  const people = { by: await inNameOf(db, by), confirmedBy: await inNameOf(db, second) };
  const command = { ...people, reason, kept: file?.entries ?? [], unpaid };
  const drawn = await drawUpJournal(ctx, command);
  const installation = randomUUID();
  if (file !== null) {
    const kept = `${path}.${new Date().toISOString().replaceAll(":", "")}`;
    renameSync(path, kept);
    say(0, `the former journal is ${kept}`);
  }
  const note = `rebuilt by ${by} and ${second}: ${reason}`;
  if (!(await openDisk(path).create(firstBytes(installation, drawn.entries, note))))
    throw new Error(`${path} appeared meanwhile: a worker runs.`);
  await adoptJournal(ctx, command, { ...drawn, installation });
  for (const { wallet, nextNonce } of drawn.raised) say(0, `the next nonce of ${wallet} is ${nextNonce}: empty transfers use those below`);
  return say(0, `${path}: ${drawn.entries.length} entries. Start the workers; two admins lift the halt.`);
}

function say(code: number, line: string): number {
  process.stdout.write(`${line}\n`);
  return code;
}

await runCommand(main, { failed: 2 });
