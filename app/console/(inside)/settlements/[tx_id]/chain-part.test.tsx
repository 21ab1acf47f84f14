import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ClockProvider } from "../../../_components/controls/clock.tsx";
import { ToastProvider } from "../../../_components/controls/toast.tsx";
import { PreferencesProvider } from "../../../_components/frame/preferences.tsx";
import { ConsoleQueries } from "../../../_trpc/provider.tsx";
import { ChainPart } from "./chain-part.tsx";

const AT = "2026-11-21T10:00:00.000Z";
const HASH = `0x${"ab".repeat(32)}`;

type Payment = Parameters<typeof ChainPart>[0]["payment"];
const MINED: Payment = {
  transfer_id: "tf_1",
  state: "mined",
  waiting_reason: null,
  signer_cap: null,
  review_reason: null,
  failure_reason: null,
  from: `0x${"ef".repeat(20)}`,
  to: `0x${"cd".repeat(20)}`,
  nonce: 7,
  tx_hash: HASH,
  block_number: 100,
  confirmations: 2,
  confirmations_needed: 3,
  chain_height: 101,
  head_age_seconds: 2,
  explorer_url: null,
  network_fee: null,
  packed_with: null,
  created_at: AT,
  updated_at: AT,
  executed_at: null,
  attempts: [],
};

const shown = (change: Partial<Payment>, onSigned?: () => void) =>
  renderToStaticMarkup(
    <PreferencesProvider initial={{ theme: "system", zone: "utc", density: "regular", shortcuts: "on", amounts: "shown", language: "en" }}>
      <ClockProvider now={AT}>
        <ConsoleQueries>
          <ToastProvider>
            <ChainPart payment={{ ...MINED, ...change }} chain="eip155:31337" onSigned={onSigned} />
          </ToastProvider>
        </ConsoleQueries>
      </ClockProvider>
    </PreferencesProvider>,
  );

describe("a payment on the chain", () => {
  it.each(["signed", "broadcast", "mined"] as const)("that is %s reports a chain without new blocks", (state) => {
    expect(shown({ state, head_age_seconds: 94 })).toContain("The chain has shown no new block for 1 m.");
    expect(shown({ state, head_age_seconds: 59 })).not.toContain("no new block");
    expect(shown({ state, head_age_seconds: null })).not.toContain("no new block");
  });

  it.each(["queued", "executed", "failed"] as const)("that is %s waits for no block", (state) => {
    expect(shown({ state, head_age_seconds: 94 })).not.toContain("no new block");
  });

  it("that waits for a cap of the signer is offered for signature to those who may sign it, and no other payment is", () => {
    const waits = { state: "queued", waiting_reason: "It waits.", signer_cap: "day" } as const;
    expect(shown(waits, () => {})).toContain("Sign above the cap");
    expect(shown(waits)).not.toContain("Sign above the cap");
    expect(shown({ ...waits, signer_cap: null }, () => {})).not.toContain("Sign above the cap");
  });

  it("in a packed transaction says with how many others, and shows its share of the fee", () => {
    const network_fee = { amount: "0.00002", currency: "ETH" };
    expect(shown({ packed_with: 100, network_fee })).toMatch(/One of 100 payments.*Its share of the network fee/);
    expect(shown({ network_fee })).not.toMatch(/payments in this|share/);
  });

  it("shows what its attempts used of what the chain meters, also those that failed", () => {
    const attempt = {
      number: 1,
      kind: "payment",
      max_fee_per_gas: null,
      gas_limit: null,
      fee_at_most: null,
      signed_at: AT,
      broadcast_at: AT,
    } as const;
    const spent = { energy: 200_285, staked_energy: 0, energy_fee: 20_028_500, bandwidth: 0, bandwidth_fee: 345_000 };
    const paid = { ...spent, energy: 130_285, staked_energy: 64_285, bandwidth: 345 };
    const page = shown({
      attempts: [
        { ...attempt, hash: "a1", used: spent },
        { ...attempt, hash: "a2", number: 2, used: paid },
      ],
    }).replace(/<[^>]*>/g, "");
    expect(page).toMatch(/Energy130,285, 64,285 of it from the stakeBandwidth345/);
    expect(page).toMatch(/, 200,285 energy.*, 130,285 energy/);
    expect(shown({ attempts: [{ ...attempt, hash: "a1", used: null }] })).not.toContain("Energy");
  });

  it("leads to the explorer, where there is one", () => {
    const explorer_url = `https://explorer.example/tx/${HASH}`;
    expect(shown({ explorer_url })).toContain(`<a href="${explorer_url}" target="_blank" rel="noreferrer">View in the explorer</a>`);
    expect(shown({})).not.toContain("explorer");
  });
});
