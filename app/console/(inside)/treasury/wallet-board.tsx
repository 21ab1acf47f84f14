"use client";

import { Check, CirclePause, TriangleAlert, Unplug } from "lucide-react";
import { useState } from "react";
import type { BoardChainWire } from "#server/contract/console/treasury.ts";
import { Button } from "../../_components/button.tsx";
import { Dialog } from "../../_components/dialog.tsx";
import { Id } from "../../_components/id.tsx";
import { Money } from "../../_components/money.tsx";
import { QrCode } from "../../_components/qr-code.tsx";
import { Badge } from "../../_components/status-badge.tsx";
import { span } from "../../_format/time.ts";
import { Lane } from "./lane.tsx";
import type { Order } from "./order-dialog.tsx";

export type Wallet = BoardChainWire["wallets"][number];
type Props = { wallet: Wallet; chain: BoardChainWire; now: number; onOrder: ((order: Order) => void) | null };

/** One hot wallet: what it holds beside what it should, what it has promised, and its sequence of nonces. */
export function WalletBoard({ wallet, chain, now, onOrder }: Props) {
  const [toppingUp, setToppingUp] = useState(false);
  return (
    <article className="wallet" aria-label={`Wallet ${wallet.address}`}>
      <header className="wallet-header">
        <h3>
          <Id value={wallet.address} what="wallet address" />
        </h3>
        <WalletState wallet={wallet} />
        <span className="wallet-buttons">
          <Button onClick={() => setToppingUp(true)}>Top up</Button>
          {onOrder && (
            <Button onClick={() => onOrder({ what: wallet.paused ? "resume_wallet" : "pause_wallet", wallet })}>
              {wallet.paused ? "Resume" : "Pause"}
            </Button>
          )}
        </span>
      </header>
      {wallet.trouble && (
        <p className="note" data-kind="danger">
          {wallet.trouble}
        </p>
      )}
      <dl className="balances">
        {wallet.balances.map(({ currency, amount, threshold, low, height, observed_at }) => (
          <div key={currency} className="balance">
            <dt>{currency}</dt>
            <dd className="balance-amount">
              <Money amount={amount} currency={currency} /> {low && <Badge word="Low" icon={TriangleAlert} tone="undelivered" />}
            </dd>
            <dd className="muted">
              should be at least <Money amount={threshold} currency={currency} />
            </dd>
            <dd className="muted">
              promised <Promised wallet={wallet} currency={currency} />
            </dd>
            <dd className="muted">
              read at block {height.toLocaleString("en")}, {span(Math.max(0, now - new Date(observed_at).getTime()))} ago
            </dd>
          </div>
        ))}
      </dl>
      {wallet.balances.length === 0 && <p className="muted">No worker has read what it holds yet.</p>}
      <Lane wallet={wallet} onOrder={onOrder} />
      <Dialog open={toppingUp} onOpenChange={setToppingUp} title={`Top up on ${chain.name}`}>
        <p>
          Send {chain.currencies.map(({ currency }) => currency).join(", ")} on <code>{chain.chain}</code> to this address, and nothing
          else. What arrives is booked by itself.
        </p>
        <QrCode text={wallet.address} label="The wallet's address as a QR code" />
        <Id value={wallet.address} what="wallet address" full />
      </Dialog>
    </article>
  );
}

function Promised({ wallet, currency }: { wallet: Wallet; currency: string }) {
  const amount = wallet.in_flight.amounts.find((one) => one.currency === currency)?.amount ?? "0";
  return <Money amount={amount} currency={currency} />;
}

function WalletState({ wallet }: { wallet: Wallet }) {
  if (wallet.paused) return <Badge word="Paused" icon={CirclePause} tone="pending" />;
  if (!wallet.held) return <Badge word="No worker holds it" icon={Unplug} tone="failed" />;
  return <Badge word="Working" icon={Check} tone="executed" />;
}
