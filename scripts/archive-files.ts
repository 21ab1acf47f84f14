import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Database } from "#db/client.ts";
import { type ExportedMonth, linesOfMonth, listEndedMonths, readExport, recordMonth } from "#server/services/maintenance/export-archive.ts";
import { putInPlace } from "./put-in-place.ts";

/** One line per month, the newest last. */
const MANIFEST = "manifest.jsonl";

type Say = (line: string) => void;
type Content = { rows: number; sha256: string };

/**
 * Writes the archive's finished months to files, and records each checksum in the manifest and in the audit log. A file only gets its name
 * once it is complete and on disk, so an interrupted run starts that month again. Returns 1 if a file, or a month, differs from its record.
 */
export async function exportArchive(ctx: { db: Database }, folder: string, say: Say): Promise<number> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let failed = 0;
  for (const month of await listEndedMonths(ctx)) {
    const file = join(folder, `${month}.jsonl.gz`);
    const found = await readExport(ctx, month);
    const asBefore = found !== null && existsSync(file);
    const content = asBefore ? await check(file, found, say) : await rewrite(ctx, { month, file, found }, say);
    if (content === null) {
      failed = 1;
      continue;
    }
    const exported = await recordMonth(ctx, { month, ...content });
    note(folder, exported);
    say(`${file}: ${exported.rows} rows, sha256 ${exported.sha256}${asBefore ? ", as before" : ""}`);
  }
  return failed;
}

/** Null: it differs from the record. */
async function check(file: string, found: Content, say: Say): Promise<Content | null> {
  const content = await contentOf(file).catch(() => null);
  if (content?.sha256 === found.sha256) return content;
  say(
    `${file} is not what the audit log says of it: ${content?.sha256 ?? "it cannot be read"} instead of ${found.sha256}. Nothing was done to it.`,
  );
  return null;
}

/** Only a file that the audit log knows is trusted; an unknown one is renamed. Null: the month differs from its earlier record. */
async function rewrite(
  ctx: { db: Database },
  { month, file, found }: { month: string; file: string; found: Content | null },
  say: Say,
): Promise<Content | null> {
  const part = `${file}.part`;
  const content = await write(ctx, month, part);
  if (found !== null && found.sha256 !== content.sha256) {
    say(
      `${month} is not what the audit log says was written: ${content.sha256} instead of ${found.sha256}. Its present content is in ${part}; nothing was recorded.`,
    );
    return null;
  }
  if (existsSync(file) && (await contentOf(file).catch(() => null))?.sha256 !== content.sha256)
    say(`${file} was there, and the audit log knows nothing of it: it is now ${setAside(file)}.`);
  putInPlace(part, file);
  return content;
}

function setAside(file: string): string {
  for (let number = 1; ; number += 1) {
    const aside = `${file}.unknown-${number}`;
    if (existsSync(aside)) continue;
    renameSync(file, aside);
    return aside;
  }
}

async function write(ctx: { db: Database }, month: string, part: string): Promise<Content> {
  const hash = createHash("sha256");
  let rows = 0;
  async function* counted() {
    for await (const line of linesOfMonth(ctx, month)) {
      hash.update(line);
      rows += 1;
      yield line;
    }
  }
  await pipeline(Readable.from(counted()), createGzip(), createWriteStream(part, { mode: 0o600 }));
  return { rows, sha256: hash.digest("hex") };
}

/** The hash of its content, independent of compression. */
async function contentOf(file: string): Promise<Content> {
  const hash = createHash("sha256");
  let rows = 0;
  for await (const chunk of createReadStream(file).pipe(createGunzip())) {
    const bytes = chunk as Buffer;
    hash.update(bytes);
    for (const byte of bytes) if (byte === 10) rows += 1;
  }
  return { rows, sha256: hash.digest("hex") };
}

/** Rewritten as a whole, so that it never contains half a line. */
function note(folder: string, exported: ExportedMonth): void {
  const file = join(folder, MANIFEST);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  const others = lines.filter((line) => (JSON.parse(line) as ExportedMonth).month !== exported.month);
  writeFileSync(`${file}.part`, `${[...others, JSON.stringify(exported)].join("\n")}\n`, { mode: 0o600 });
  putInPlace(`${file}.part`, file);
}
