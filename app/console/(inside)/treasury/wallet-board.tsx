import { Archive, Check, CirclePause, Ellipsis, OctagonX, ShieldAlert, TriangleAlert, Unplug } from "lucide-react";
import { useState } from "react";
import { mayBecome, seesThrough, WALLET_STATES } from "#domain/wallet.ts";
import { Button, IconButton } from "../../_components/controls/button.tsx";
import { Glance } from "../../_components/controls/glance.tsx";
import { Menu, MenuItem } from "../../_components/controls/menu.tsx";
import { QrCode } from "../../_components/controls/qr-code.tsx";
import { Badge, Id } from "../../_components/controls/values.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { Served, Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import type { Chain, Halt, Wallet } from "./answers.ts";
import { HaltScope } from "./nonce-list.tsx";
import type { Order } from "./order-dialog.tsx";
import { WALLET_BOARD } from "./words.ts";

type Props = {
  wallet: Wallet;
  chain: Chain;
  halts: readonly Halt[];
  now: number;
  onOrder: ((order: Order) => void) | null;
};

/** One hot wallet: its balance next to the expected one, what it has promised, and its sequence of nonces. */
export function WalletBoard({ wallet, chain, halts, now, onOrder }: Props) {
  const t = useTranslations(WALLET_BOARD);
  const halted = halts.some(({ lane_key }) => lane_key === wallet.id || lane_key === chain.chain);
  const oldest = wallet.balances.toSorted((left, right) => left.height - right.height)[0];
  const [toppingUp, setToppingUp] = useState(false);
  return (
    <article className="wallet" aria-label={t.wallet(wallet.address)}>
      <header className="wallet-header">
        <h3>
          <Id value={wallet.address} what={t.walletAddress} />
        </h3>
        <WalletState wallet={wallet} halted={halted} />
        {wallet.signer && <span className="muted">{t.signers[wallet.signer]}</span>}
        <span className="wallet-buttons">
          {seesThrough(wallet.state) && (
            <Button look={runsLow(wallet) ? "primary" : "plain"} onClick={() => setToppingUp(true)}>
              {t.topUp}
            </Button>
          )}
          {onOrder && !halted && seesThrough(wallet.state) && (
            <Button onClick={() => onOrder({ what: "halt", kind: "wallet", key: wallet.id, name: wallet.address })}>{t.halt}</Button>
          )}
          {onOrder && <StateOrders wallet={wallet} onOrder={onOrder} />}
        </span>
      </header>
      {wallet.trouble && (
        <Note kind="danger">
          <Served>{wallet.trouble}</Served>
        </Note>
      )}
      {wallet.safes > 0 && wallet.state !== "active" && <Note kind="danger">{t.safes(wallet.safes)}</Note>}
      <dl className="balances">
        {wallet.balances.map(({ currency, amount, threshold, low, hours_alone: hours }) => (
          <div key={currency} className="balance">
            <dt translate="no">{currency}</dt>
            <dd className="balance-amount">
              <Glance amount={amount} currency={currency} /> {low && <Badge word={t.low} icon={TriangleAlert} tone="undelivered" />}
            </dd>
            {wallet.state === "active" && Number(threshold) > 0 && (
              <dd className="muted">
                <Trans sentence={t.minimum} amount={<Glance amount={threshold} currency={currency} />} />
              </dd>
            )}
            {wallet.state === "active" && hours !== null && <dd className="muted">{t.lastsAlone(lasting(hours, t) ?? "")}</dd>}
            {seesThrough(wallet.state) && promisedOf(wallet, currency) !== null && (
              <dd className="muted">
                <Trans sentence={t.promised} amount={<Glance amount={promisedOf(wallet, currency) ?? "0"} currency={currency} />} />
              </dd>
            )}
          </div>
        ))}
      </dl>
      {oldest && (
        <p className="small muted wallet-read">
          {t.readAt(t.format.count(oldest.height), t.format.span(Math.max(0, now - new Date(oldest.observed_at).getTime())))}
        </p>
      )}
      {wallet.balances.length === 0 && <p className="muted">{t.notRead}</p>}
      {chain.gas !== null && <HaltScope wallet={wallet} onOrder={onOrder} />}
      <Dialog open={toppingUp} onOpenChange={setToppingUp} title={t.topUpOn(chain.name)}>
        <p>
          <Trans
            sentence={t.sendExplained(chain.currencies.map(({ currency }) => currency).join(", "))}
            chain={<code translate="no">{chain.chain}</code>}
          />
        </p>
        <QrCode text={wallet.address} label={t.addressQr} />
        <Id value={wallet.address} what={t.walletAddress} full />
      </Dialog>
    </article>
  );
}

/** Null: nothing. */
function promisedOf({ in_flight }: Wallet, of: string): string | null {
  const amount = in_flight.amounts.find(({ currency }) => currency === of)?.amount ?? "0";
  return Number(amount) > 0 ? amount : null;
}

/** It pays, and has less than it should of a currency. */
export function runsLow({ state, balances }: Wallet, of?: string): boolean {
  return state === "active" && balances.some(({ currency, low }) => low && (of === undefined || currency === of));
}

/** `6.4 h`, `12 d`; null: nothing is used. */
export function lasting(
  hours: number | null,
  t: { over10Years: string; format: WithShared<typeof WALLET_BOARD>["format"] },
): string | null {
  if (hours === null) return null;
  if (hours < 0.1) return `< ${t.format.count(0.1)} h`;
  if (hours > 24 * 3_650) return t.over10Years;
  return hours >= 72 ? t.format.span(hours * 3_600_000) : `${t.format.count(hours)} h`;
}

function StateOrders({ wallet, onOrder }: { wallet: Wallet; onOrder: (order: Order) => void }) {
  const t = useTranslations(WALLET_BOARD);
  const next = WALLET_STATES.filter((state) => mayBecome(wallet.state, state));
  if (next.length === 0 && wallet.state === "active") return null;
  return (
    <Menu trigger={<IconButton label={t.state(wallet.address)} icon={Ellipsis} />}>
      {next.map((state) => (
        <MenuItem key={state} onSelect={() => onOrder({ what: "wallet_state", wallet, state })}>
          {t.orders[state]}
        </MenuItem>
      ))}
      {wallet.state !== "active" && <MenuItem onSelect={() => onOrder({ what: "safe_owner", wallet })}>{t.safeOwner}</MenuItem>}
    </Menu>
  );
}

function WalletState({ wallet, halted }: { wallet: Wallet; halted: boolean }) {
  const t = useTranslations(WALLET_BOARD);
  if (wallet.state === "compromised") return <Badge word={t.compromised} icon={ShieldAlert} tone="failed" />;
  if (wallet.state === "retired") return <Badge word={t.retired} icon={Archive} tone="plain" />;
  if (halted) return <Badge word={t.halted} icon={OctagonX} tone="failed" />;
  if (wallet.state === "draining") return <Badge word={t.draining} icon={CirclePause} tone="pending" />;
  if (!wallet.held) return <Badge word={t.noWorker} icon={Unplug} tone="failed" />;
  return <Badge word={t.working} icon={Check} tone="executed" />;
}
