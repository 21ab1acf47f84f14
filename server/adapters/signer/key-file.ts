import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Hex } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { isHex } from "viem/utils";

/**
 * FOR THE SANDBOX ONLY: the private key in a file, created if there is none, readable only by its owner. Of several processes that start at
 * once, one creates it and all read the same.
 */
export async function readOrMakeKey(file: string): Promise<Hex> {
  const found = await readKey(file);
  if (found) return found;
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${generatePrivateKey()}\n`, { mode: 0o600, flag: "wx" });
  // A link appears complete or not at all, and never replaces a key that another process created first.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  const made = await readKey(file);
  if (!made) throw new Error(`the key file ${file} could not be made`);
  return made;
}

async function readKey(file: string): Promise<Hex | null> {
  let text: string;
  try {
    text = (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  if (!isHex(text) || text.length !== 66) throw new Error(`the key file ${file} holds no private key`);
  return text;
}
