import { readFileSync } from "node:fs";
import { z } from "zod";

const partner = z.object({
  id: z.uuid(),
  api_key: z.string().min(1),
  api_secret: z.string().min(1),
  callback_secret: z.string().startsWith("whsec_"),
});
const user = z.object({ email: z.email(), password: z.string().min(1) });
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

const chain = z.object({ chain: z.string(), rpc_url: z.url(), tokens: z.object({ USDT: address, USDC: address }) });

/** Of another family than EVM's, which addresses its tokens in another way. */
const otherChain = z.object({ chain: z.string(), rpc_url: z.url(), tokens: z.record(z.string(), z.string()) });

/** A running sandbox's description of itself in `<DATA_DIR>/sandbox.json` (contract, part 8). */
export const sandboxFile = z.object({
  base_url: z.url(),
  console_url: z.url(),
  partner,
  second_partner: partner,
  operator: z.object({ api_key: z.string().min(1) }),
  users: z.object({ admin: user, approver: user, viewer: user, owner: user, staff: user }),
  /** EVM's first. */
  chains: z.tuple([chain], otherChain),
  treasury: z.object({ address }),
  outcomes: z.object({ blocked_wallet: address, named_wallet: address }),
  receivers: z.object({ url: z.url() }),
  rail: z.object({ secret: z.string().min(1) }),
});
export type SandboxFile = z.infer<typeof sandboxFile>;

/** The file's path: `SANDBOX_FILE`, or in `DATA_DIR`, or in `.data`. */
export function sandboxFilePath(): string {
  return process.env.SANDBOX_FILE ?? `${process.env.DATA_DIR ?? ".data"}/sandbox.json`;
}

/** @throws Error with one plain sentence when there is no such file or it does not follow the contract. */
export function readSandboxFile(path = sandboxFilePath()): SandboxFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new Error(`There is no ${path}: start a sandbox with "npm start" first (and name the same DATA_DIR).`);
  }
  const parsed = sandboxFile.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new Error(`${path} is not what the contract says:\n${z.prettifyError(parsed.error)}`);
}
