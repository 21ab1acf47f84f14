import { Button } from "../../_components/controls/button.tsx";
import { Glance } from "../../_components/controls/glance.tsx";
import { Note, Scroll, Section } from "../../_components/frame/page-parts.tsx";
import { span } from "../../_format/time.ts";
import { Served } from "../../_words/served.tsx";
import { useWords } from "../../_words/words.ts";
import { useRealTime } from "../developers/keys/use-real-time.ts";
import type { Chain, Halt } from "./answers.ts";
import type { Order } from "./order-dialog.tsx";
import { WalletBoard } from "./wallet-board.tsx";
import { CHAIN_BOARD } from "./words.ts";

type Says = typeof CHAIN_BOARD;

type Props = { chain: Chain; halts: readonly Halt[]; now: string; onOrder: ((order: Order) => void) | null };

/** One chain: what its nodes say, what gas costs, how long the money lasts, and its wallets. */
export function ChainBoard({ chain, halts, now: heard, onOrder }: Props) {
  const says = useWords(CHAIN_BOARD);
  const halted = halts.some(({ lane_kind, lane_key }) => lane_kind === "chain" && lane_key === chain.chain);
  const now = useRealTime(heard, true);
  const everywhere = chain.currencies.filter(({ low_wallets, wallets }) => low_wallets > 0 && low_wallets === wallets);
  const somewhere = chain.currencies.filter(({ low_wallets, wallets }) => low_wallets > 0 && low_wallets < wallets);
  return (
    <Section
      title={says.title(chain.name)}
      aside={
        <span className="button-row">
          <code className="muted" translate="no">
            {chain.chain}
          </code>
          {onOrder && !halted && (
            <Button onClick={() => onOrder({ what: "halt", kind: "chain", key: chain.chain, name: chain.chain })}>{says.haltChain}</Button>
          )}
        </span>
      }
    >
      {chain.head?.trouble && (
        <Note kind="danger">
          <Served>{chain.head.trouble}</Served>
        </Note>
      )}
      {chain.screening.state === "uncovered" && <Note kind="warning">{says.uncovered}</Note>}
      {everywhere.length > 0 && <Note kind="warning">{says.runsLow(everywhere.map(({ currency }) => currency).join(", "))}</Note>}
      {somewhere.map(({ currency, low_wallets, wallets }) => (
        <Note key={currency} kind="warning">
          {says.partlyLow(currency, low_wallets, wallets)}
        </Note>
      ))}
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
        <li>{says.final(chain.confirmations)}</li>
      </ul>
      <Scroll label={says.runway(chain.name)}>
        <table className="compare runway">
          <thead>
            <tr>
              <th scope="col">{says.currency}</th>
              <th scope="col">{says.used}</th>
              <th scope="col">{says.queued}</th>
              <th scope="col">{says.lasts}</th>
            </tr>
          </thead>
          <tbody>
            {chain.currencies.map(({ currency, used_24h, queued, hours, native }) => (
              <tr key={currency}>
                <th scope="row" translate="no">
                  {currency}
                </th>
                <td>
                  {native && <span className="muted">{says.atMost} </span>}
                  <Glance amount={used_24h} currency={currency} />
                </td>
                <td>
                  <Glance amount={queued} currency={currency} />
                </td>
                <td>{lasting(hours, says)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {chain.wallets.length === 0 && <p className="muted">{says.noWallet}</p>}
      {chain.wallets.map((wallet) => (
        <WalletBoard key={wallet.id} wallet={wallet} chain={chain} halts={halts} now={now} onOrder={onOrder} />
      ))}
    </Section>
  );
}

function ScreeningFact({ screening: { state, sources } }: Pick<Chain, "screening">) {
  const says = useWords(CHAIN_BOARD);
  if (state === "off") return <>{says.unscreened}</>;
  if (sources.length === 0) return <>{says.screenedByNobody}</>;
  return <>{says.screenedBy(sources.join(", "))}</>;
}

/** `6.4 h`, `12 d`; nothing was used: as long as it may be. */
function lasting(hours: number | null, says: Says): string {
  if (hours === null) return says.nothingUsed;
  if (hours > 24 * 3_650) return says.over10Years;
  return hours >= 72 ? `${Math.floor(hours / 24).toLocaleString("en")} d` : `${hours.toLocaleString("en")} h`;
}

function HeadFact({ chain: { head }, now }: { chain: Chain; now: number }) {
  const says = useWords(CHAIN_BOARD);
  if (head === null) return <>{says.notAsked}</>;
  const { height, block_at, nodes_up, nodes_total, checked_at } = head;
  const age = (at: string) => span(Math.max(0, now - new Date(at).getTime()));
  return (
    <>
      {says.block(height?.toLocaleString("en") ?? null, block_at === null ? null : age(block_at))} ·{" "}
      <span data-bad={nodes_up < nodes_total || undefined}>{says.nodes(nodes_up, nodes_total)}</span>
      <span className="muted">, {says.asked(age(checked_at))}</span>
    </>
  );
}

function GasFact({ gas: { base_gwei, tip_gwei, cap_gwei } }: { gas: Chain["gas"] }) {
  const says = useWords(CHAIN_BOARD);
  const cap = cap_gwei === null ? says.noCap : says.capGwei(cap_gwei);
  if (base_gwei === null) return <>{says.gasUnknown(cap)}</>;
  return <>{says.gas(short(base_gwei), short(tip_gwei ?? "0"), cap)}</>;
}

/** Four significant places are enough for eyes. */
function short(gwei: string): string {
  const [whole = "0", fraction = ""] = gwei.split(".");
  const kept = fraction.slice(0, whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) + 3 : 3).replace(/0+$/, "");
  return kept === "" ? whole : `${whole}.${kept}`;
}
