import { Button } from "../../_components/controls/button.tsx";
import { Glance } from "../../_components/controls/glance.tsx";
import { shortened } from "../../_components/controls/values.tsx";
import { Note, Scroll, Section } from "../../_components/frame/page-parts.tsx";
import { Served, Trans, useTranslations } from "../../_words/words.ts";
import { useRealTime } from "../developers/keys/use-real-time.ts";
import type { Chain, Halt } from "./answers.ts";
import type { Order } from "./order-dialog.tsx";
import { lasting, runsLow, WalletBoard } from "./wallet-board.tsx";
import { CHAIN_BOARD, WALLET_BOARD } from "./words.ts";

type Props = { chain: Chain; halts: readonly Halt[]; now: string; onOrder: ((order: Order) => void) | null };

/** One chain: its wallets, how long they last together, its nodes and its gas price. */
export function ChainBoard({ chain, halts, now: heard, onOrder }: Props) {
  const [t, wallet] = [useTranslations(CHAIN_BOARD), useTranslations(WALLET_BOARD)];
  const halted = halts.some(({ lane_kind, lane_key }) => lane_kind === "chain" && lane_key === chain.chain);
  const now = useRealTime(heard, true);
  const everywhere = chain.currencies.filter(({ low_wallets, wallets }) => low_wallets > 0 && low_wallets === wallets);
  const somewhere = chain.currencies.filter(({ low_wallets, wallets }) => low_wallets > 0 && low_wallets < wallets);
  // What needs a top-up comes first.
  const wallets = chain.wallets.toSorted((left, right) => Number(runsLow(right)) - Number(runsLow(left)));
  return (
    <Section
      title={t.heading(chain.name)}
      aside={
        <span className="button-row">
          <code className="muted" translate="no">
            {chain.chain}
          </code>
          {onOrder && !halted && (
            <Button onClick={() => onOrder({ what: "halt", kind: "chain", key: chain.chain, name: chain.chain })}>{t.haltChain}</Button>
          )}
        </span>
      }
    >
      {chain.head?.trouble && (
        <Note kind="danger">
          <Served>{chain.head.trouble}</Served>
        </Note>
      )}
      {chain.screening.state === "uncovered" && <Note kind="warning">{t.uncovered}</Note>}
      {everywhere.length > 0 && <Note kind="warning">{t.runsLow(everywhere.map(({ currency }) => currency).join(", "))}</Note>}
      {somewhere.map(({ currency, low_wallets, wallets: paying }) => (
        <Note key={currency} kind="warning">
          <Trans
            sentence={t.partlyLow(currency, low_wallets, paying)}
            wallets={<span translate="no">{lowIn(chain, currency).join(", ")}</span>}
          />
        </Note>
      ))}
      {chain.wallets.length === 0 && <p className="muted">{t.noWallet}</p>}
      {wallets.map((each) => (
        <WalletBoard key={each.id} wallet={each} chain={chain} halts={halts} now={now} onOrder={onOrder} />
      ))}
      <Scroll label={t.runway(chain.name)}>
        <table className="compare runway">
          <thead>
            <tr>
              <th scope="col">{t.currency}</th>
              <th scope="col">{t.usedLastDay}</th>
              <th scope="col">{t.queuedUnsigned}</th>
              <th scope="col">{t.lastTogether}</th>
            </tr>
          </thead>
          <tbody>
            {chain.currencies.map(({ currency, used_24h, queued, hours, native }) => (
              <tr key={currency}>
                <th scope="row" translate="no">
                  {currency}
                </th>
                <td>
                  {native && <span className="muted">{t.atMost} </span>}
                  <Glance amount={used_24h} currency={currency} />
                </td>
                <td>
                  <Glance amount={queued} currency={currency} />
                </td>
                <td>{lasting(hours, wallet) ?? t.nothingUsed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <ul className="chain-facts">
        <li>
          <HeadFact chain={chain} now={now} />
        </li>
        {chain.gas !== null && (
          <li>
            <GasFact gas={chain.gas} />
          </li>
        )}
        <li>
          <ScreeningFact screening={chain.screening} />
        </li>
        <li>{t.final(chain.confirmations)}</li>
      </ul>
    </Section>
  );
}

function ScreeningFact({ screening: { state, sources } }: Pick<Chain, "screening">) {
  const t = useTranslations(CHAIN_BOARD);
  if (state === "off") return <>{t.unscreened}</>;
  if (sources.length === 0) return <>{t.noScreeningSource}</>;
  return <>{t.screenedBy(sources.join(", "))}</>;
}

function lowIn({ wallets }: Chain, currency: string): string[] {
  return wallets.filter((wallet) => runsLow(wallet, currency)).map(({ address }) => shortened(address));
}

function HeadFact({ chain: { head }, now }: { chain: Chain; now: number }) {
  const t = useTranslations(CHAIN_BOARD);
  if (head === null) return <>{t.notAsked}</>;
  const { height, block_at, nodes_up, nodes_total, checked_at } = head;
  const age = (at: string) => t.format.span(Math.max(0, now - new Date(at).getTime()));
  return (
    <>
      {t.block(height === null ? null : t.format.count(height), block_at === null ? null : age(block_at))} ·{" "}
      <span data-bad={nodes_up < nodes_total || undefined}>{t.nodes(nodes_up, nodes_total)}</span>
      <span className="muted">, {t.askedAgo(age(checked_at))}</span>
    </>
  );
}

function GasFact({ gas: { base_gwei, tip_gwei, cap_gwei } }: { gas: NonNullable<Chain["gas"]> }) {
  const t = useTranslations(CHAIN_BOARD);
  const cap = cap_gwei === null ? t.noCap : t.capGwei(cap_gwei);
  if (base_gwei === null) return <>{t.gasUnknown(cap)}</>;
  return <>{t.gas(short(base_gwei), short(tip_gwei ?? "0"), cap)}</>;
}

/** Four significant digits are enough for display. */
function short(gwei: string): string {
  const [whole = "0", fraction = ""] = gwei.split(".");
  const kept = fraction.slice(0, whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) + 3 : 3).replace(/0+$/, "");
  return kept === "" ? whole : `${whole}.${kept}`;
}
