import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { newSocket, signerPart } from "./service-parts.ts";

const folder = mkdtempSync(join(tmpdir(), "signer-part-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CHAIN = {
  chain: "eip155:31337",
  name: "Test chain",
  rpc_urls: ["http://127.0.0.1:9"],
  confirmations: 3,
  native: { currency: "ETH", decimals: 18 },
  tokens: [],
  wallets: [{ signer: "sandbox", key_file: join(folder, "treasury.key") }],
};

it("the signer listens again although the folder of its socket was cleaned up, and only its user gets in", async () => {
  const socket = newSocket();
  const env = {
    NODE_ENV: "test" as const,
    PATH: process.env.PATH,
    DATA_DIR: folder,
    DATABASE_URL: "postgres://nobody:nothing@127.0.0.1:9/none",
    CHAINS: JSON.stringify([CHAIN]),
    SIGNER_SOCKET: socket,
  };
  const log = join(folder, "log");
  const part = signerPart({ env, logs: { web: log, worker: log, signer: log }, readyTimeoutMs: 60_000 });
  for (const _ of ["first", "again"]) {
    const running = await part.start(new AbortController().signal);
    expect(statSync(socket).isSocket()).toBe(true);
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
    await running.stop();
    rmSync(dirname(socket), { recursive: true, force: true });
  }
});

it("the socket's folder is its own, or the signer does not start", async () => {
  const shared = join(folder, "shared");
  const options = { logs: null, readyTimeoutMs: 60_000 };
  const start = (named: string) =>
    signerPart({ ...options, env: { NODE_ENV: "test", SIGNER_SOCKET: named } }).start(new AbortController().signal);
  mkdirSync(shared);
  writeFileSync(join(shared, "somebody-elses"), "");
  await expect(start(join(shared, "signer.sock"))).rejects.toThrow(/must be a folder of the signer's own/);
  const open = join(folder, "open");
  mkdirSync(open);
  chmodSync(open, 0o777);
  await expect(start(join(open, "signer.sock"))).rejects.toThrow(/must be a folder of the signer's own/);
});
