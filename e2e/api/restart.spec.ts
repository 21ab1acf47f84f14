import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { tokenBalance } from "#sandbox/client/chain.ts";
import { exchange } from "#sandbox/client/exchange.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { readSandboxFile } from "#sandbox/client/sandbox-file.ts";
import { verifyCallback } from "#sandbox/client/verify-callback.ts";
import { clockAnswer } from "../support/clock.ts";
import { inUnits, plain } from "../support/money.ts";
import { operatorClient, partnerClient } from "../support/patient.ts";
import { createBody, ended, freshWallet, SETTLEMENTS } from "../support/settlements.ts";
import { draft } from "../support/signed.ts";
import { newDirectory, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** Contract, parts 2, 3, 8 and 9: state that must survive a restart. In a separate sandbox, stopped in the middle of the work. */

test("after a stop and a start: nonces stay burnt, answers kept, the clock where it was, and what was confirmed is paid once", async () => {
  const directory = newDirectory();
  const receiver = await openReceiver();
  let own = await startSandbox(directory);
  try {
    const before = readSandboxFile(own.file);
    const partner = partnerClient(before.base_url, before.partner);
    const operator = operatorClient(before.base_url, before.operator);
    await operator.call("POST", "/sandbox/clock", { advance_seconds: 86_400 });
    const wallet_address = freshWallet();
    const key = [["Idempotency-Key", randomUUID()]] as const;
    const body = createBody({ wallet_address });
    const created = await partner.post(SETTLEMENTS, body, key);
    expect(created.status, created.text).toBe(201);
    const { tx_id, destination_amount } = JSON.parse(created.text);
    const burnt = draft({ credentials: before.partner });
    expect((await exchange(before.base_url, burnt)).status).toBe(200);
    const confirmed = await partner.post(`${SETTLEMENTS}/${tx_id}/confirm`, { external_tx_id: "restart-1", callback_url: receiver.url });
    expect(confirmed.status, confirmed.text).toBe(200);
    expect(await own.stop()).toBe(0);

    own = await startSandbox(directory);
    const after = readSandboxFile(own.file);
    expect(after.partner).toEqual(before.partner);
    const again = partnerClient(after.base_url, after.partner);
    const reused = await exchange(after.base_url, { ...burnt });
    expect(JSON.parse(reused.text)).toMatchObject({ status: 401, code: "nonce_reused" });
    const replayed = await again.post(SETTLEMENTS, body, key);
    expect(replayed.text).toBe(created.text);
    expect(replayed.headers["idempotent-replayed"]).toBe("true");
    const clock = await operatorClient(after.base_url, after.operator).call("GET", "/sandbox/clock");
    expect(clockAnswer.parse(JSON.parse(clock.text)).offset_seconds).toBeGreaterThanOrEqual(86_400);

    expect((await ended(tx_id, again)).status).toBe("executed");
    const [chain] = after.chains;
    const owed = inUnits(plain(destination_amount), 6);
    expect(await tokenBalance(chain.rpc_url, chain.tokens.USDT, wallet_address)).toBe(owed);
    expect(verifyCallback(await receiver.delivery(1, 45_000), after.partner)).toMatchObject({ tx_id, status: "executed" });
  } finally {
    await own.stop();
    await receiver.close();
    removeDirectory(directory);
  }
});
