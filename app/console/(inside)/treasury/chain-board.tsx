import { Button } from "../../_components/controls/button.tsx";
import { Glance } from "../../_components/controls/glance.tsx";
import { Note, Scroll, Section } from "../../_components/frame/page-parts.tsx";
import { span } from "../../_format/time.ts";
import { useRealTime } from "../developers/keys/use-real-time.ts";
import type { Chain, Halt } from "./answers.ts";
import type { Order } from "./order-dialog.tsx";
import { WalletBoard } from "./wallet-board.tsx";

type Props = { chain: Chain; halts: readonly Halt[]; now: string; onOrder: ((order: Order) => void) | null };

/** One chain: what its nodes say, what gas costs, how long the money lasts, and its wallets. */
export function ChainBoard({ chain, halts, now: heard, onOrder }: Props) {
  const halted = halts.some(({ lane_kind, lane_key }) => lane_kind === "chain" && lane_key === chain.chain);
  const now = useRealTime(heard, true);
  const low = chain.wallets.flatMap(({ balances }) => balances.filter((one) => one.low));
  return (
    <Section
      title={chain.name}
      aside={
        <span className="muted">
          <code>{chain.chain}</code>{" "}
          {onOrder && !halted && (
            <Button onClick={() => onOrder({ what: "halt", kind: "chain", key: chain.chain, name: chain.chain })}>Halt the chain</Button>
          )}
        </span>
      }
    >
      {chain.head?.trouble && <Note kind="danger">{chain.head.trouble}</Note>}
      {chain.screening.state === "uncovered" && (
        <Note kind="warning">Nobody who is asked knows the addresses of this chain: every payment waits until an admin releases it.</Note>
      )}
      {low.length > 0 && (
        <Note kind="warning">
          Runs low: {[...new Set(low.map(({ currency }) => currency))].join(", ")}. Payments wait when it is not enough; nothing fails for
          it.
        </Note>
      )}
      <ul className="chain-facts">
        <li>
          <HeadFact chain={chain} now={now} />
        </li>
        <li>
          <GasFact gas={chain.gas} />
        </li>
        <li>
          <ScreeningFact screening={chain.screening} />
        </li>
        <li>{chain.confirmations === 1 ? "1 confirmation is final" : `${chain.confirmations} confirmations are final`}</li>
      </ul>
      <Scroll label={`How long the money on ${chain.name} lasts`}>
        <table className="compare runway">
          <thead>
            <tr>
              <th scope="col">Currency</th>
              <th scope="col">Used, 24 h</th>
              <th scope="col">Owed, not signed</th>
              <th scope="col">Lasts</th>
            </tr>
          </thead>
          <tbody>
            {chain.currencies.map(({ currency, used_24h, queued, hours, native }) => (
              <tr key={currency}>
                <th scope="row">{currency}</th>
                <td>
                  {native && <span className="muted">at most </span>}
                  <Glance amount={used_24h} currency={currency} />
                </td>
                <td>
                  <Glance amount={queued} currency={currency} />
                </td>
                <td>{lasting(hours)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {chain.wallets.length === 0 && <p className="muted">No worker has met a wallet of this chain yet: a signer must be configured.</p>}
      {chain.wallets.map((wallet) => (
        <WalletBoard key={wallet.id} wallet={wallet} chain={chain} halts={halts} now={now} onOrder={onOrder} />
      ))}
    </Section>
  );
}

function ScreeningFact({ screening: { state, sources } }: Pick<Chain, "screening">) {
  if (state === "off") return <>Recipients are not screened</>;
  if (sources.length === 0) return <>Recipients are screened by nobody</>;
  return <>Recipients are screened by {sources.join(", ")}</>;
}

/** `6.4 h`, `12 d`; nothing was used: as long as it may be. */
function lasting(hours: number | null): string {
  if (hours === null) return "nothing was used";
  if (hours > 24 * 3_650) return "over 10 years";
  return hours >= 72 ? `${Math.floor(hours / 24).toLocaleString("en")} d` : `${hours.toLocaleString("en")} h`;
}

function HeadFact({ chain: { head }, now }: { chain: Chain; now: number }) {
  if (head === null) return <>No worker has asked this chain yet</>;
  const { height, block_at, nodes_up, nodes_total, checked_at } = head;
  const age = (at: string) => span(Math.max(0, now - new Date(at).getTime()));
  return (
    <>
      Block {height === null ? "unknown" : height.toLocaleString("en")}
      {block_at && <span className="muted">, {age(block_at)} old</span>} ·{" "}
      <span data-bad={nodes_up < nodes_total || undefined}>
        {nodes_up} of {nodes_total} nodes {nodes_up === 1 ? "answers" : "answer"}
      </span>
      <span className="muted">, asked {age(checked_at)} ago</span>
    </>
  );
}

function GasFact({ gas: { base_gwei, tip_gwei, cap_gwei } }: { gas: Chain["gas"] }) {
  const cap = cap_gwei === null ? "no cap" : `cap ${cap_gwei} gwei`;
  if (base_gwei === null) return <>Gas not known yet, {cap}</>;
  return (
    <>
      Gas {short(base_gwei)} base + {short(tip_gwei ?? "0")} tip gwei<span className="muted">, {cap}</span>
    </>
  );
}

/** Four significant places are enough for eyes. */
function short(gwei: string): string {
  const [whole = "0", fraction = ""] = gwei.split(".");
  const kept = fraction.slice(0, whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) + 3 : 3).replace(/0+$/, "");
  return kept === "" ? whole : `${whole}.${kept}`;
}
