import { constants } from "node:fs";
import { chmod, mkdir, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttestationFolder } from "#domain/attestation.ts";

const NAME = /^(\d{4}-\d{2}-\d{2})\.json$/;
const READ_ONLY = 0o444;

/**
 * A folder with one file for each day, created once and never opened for writing again, so it may be append-only (`chattr +a`). Only a
 * file that a crash cut short is completed, with the bytes that are missing.
 */
export function openAttestationFolder(path: string): AttestationFolder {
  const fileOf = (day: string) => join(path, `${day}.json`);
  return {
    async days() {
      await mkdir(path, { recursive: true, mode: 0o700 });
      return (await readdir(path)).flatMap((name) => NAME.exec(name)?.[1] ?? []).toSorted();
    },
    async write(day, content) {
      const bytes = Buffer.from(content);
      if (await create(fileOf(day), bytes)) await syncFolder(path);
      const held = await readFile(fileOf(day));
      if (held.equals(bytes)) return true;
      if (!bytes.subarray(0, held.length).equals(held)) return false;
      await complete(fileOf(day), bytes, held.length);
      return true;
    },
  };
}

/** False: there is one already. */
async function create(file: string, bytes: Buffer): Promise<boolean> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  const handle = await open(file, O_CREAT | O_EXCL | O_WRONLY, READ_ONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return null;
    throw error;
  });
  if (handle === null) return false;
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return true;
}

/** Each byte to its own place: two workers that do so at once write the same. */
async function complete(file: string, bytes: Buffer, from: number): Promise<void> {
  await chmod(file, 0o600);
  const handle = await open(file, "r+");
  try {
    await handle.write(bytes, from, bytes.length - from, from);
    await handle.sync();
    await handle.chmod(READ_ONLY);
  } finally {
    await handle.close();
  }
}

/** Its entry survives a power cut. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
