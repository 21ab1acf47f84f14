import { Archive, Check, CirclePause, Ellipsis, OctagonX, ShieldAlert, TriangleAlert, Unplug } from "lucide-react";
import { useState } from "react";
import { seesThrough } from "#domain/wallet.ts";
import { Button, IconButton } from "../../_components/controls/button.tsx";
import { Glance } from "../../_components/controls/glance.tsx";
import { Menu, MenuItem } from "../../_components/controls/menu.tsx";
import { QrCode } from "../../_components/controls/qr-code.tsx";
import { Badge, Id } from "../../_components/controls/values.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { span } from "../../_format/time.ts";
import type { Chain, Halt, Wallet } from "./answers.ts";
import { Lane } from "./lane.tsx";
import type { Order } from "./order-dialog.tsx";

type Props = {
  wallet: Wallet;
  chain: Chain;
  halts: readonly Halt[];
  now: number;
  onOrder: ((order: Order) => void) | null;
};

/** One hot wallet: what it holds beside what it should, what it has promised, and its sequence of nonces. */
export function WalletBoard({ wallet, chain, halts, now, onOrder }: Props) {
  const halted = halts.some(({ lane_key }) => lane_key === wallet.id || lane_key === chain.chain);
  const [toppingUp, setToppingUp] = useState(false);
  return (
    <article className="wallet" aria-label={`Wallet ${wallet.address}`}>
      <header className="wallet-header">
        <h3>
          <Id value={wallet.address} what="wallet address" />
        </h3>
        <WalletState wallet={wallet} halted={halted} />
        {wallet.signer && <span className="muted">{SIGNED_BY[wallet.signer]}</span>}
        <span className="wallet-buttons">
          {seesThrough(wallet.state) && <Button onClick={() => setToppingUp(true)}>Top up</Button>}
          {onOrder && !halted && (
            <Button onClick={() => onOrder({ what: "halt", kind: "wallet", key: wallet.id, name: wallet.address })}>Halt</Button>
          )}
          {onOrder && <StateOrders wallet={wallet} onOrder={onOrder} />}
        </span>
      </header>
      {wallet.trouble && <Note kind="danger">{wallet.trouble}</Note>}
      <dl className="balances">
        {wallet.balances.map(({ currency, amount, threshold, low, height, observed_at }) => (
          <div key={currency} className="balance">
            <dt>{currency}</dt>
            <dd className="balance-amount">
              <Glance amount={amount} currency={currency} /> {low && <Badge word="Low" icon={TriangleAlert} tone="undelivered" />}
            </dd>
            <dd className="muted">
              should be at least <Glance amount={threshold} currency={currency} />
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
  return <Glance amount={amount} currency={currency} />;
}

const NEXT: Record<Wallet["state"], readonly Wallet["state"][]> = {
  active: ["draining", "retired", "compromised"],
  draining: ["active", "retired", "compromised"],
  retired: ["active", "compromised"],
  compromised: [],
};
const TOLD: Record<Wallet["state"], string> = {
  active: "Use it again",
  draining: "Drain it",
  retired: "Retire it",
  compromised: "Its key is in other hands",
};

const SIGNED_BY: Record<NonNullable<Wallet["signer"]>, string> = {
  sandbox: "Key: a file of the sandbox",
  keystore: "Key: an encrypted file",
  remote: "Key: a remote signer",
  pkcs11: "Key: in a token (PKCS#11)",
  "aws-kms": "Key: in AWS KMS",
};

function StateOrders({ wallet, onOrder }: { wallet: Wallet; onOrder: (order: Order) => void }) {
  const next = NEXT[wallet.state];
  if (next.length === 0) return null;
  return (
    <Menu trigger={<IconButton label={`State of wallet ${wallet.address}`} icon={Ellipsis} />}>
      {next.map((state) => (
        <MenuItem key={state} onSelect={() => onOrder({ what: "wallet_state", wallet, state })}>
          {TOLD[state]}
        </MenuItem>
      ))}
    </Menu>
  );
}

function WalletState({ wallet, halted }: { wallet: Wallet; halted: boolean }) {
  if (wallet.state === "compromised") return <Badge word="Compromised" icon={ShieldAlert} tone="failed" />;
  if (wallet.state === "retired") return <Badge word="Retired" icon={Archive} tone="plain" />;
  if (halted) return <Badge word="Halted" icon={OctagonX} tone="failed" />;
  if (wallet.state === "draining") return <Badge word="Draining" icon={CirclePause} tone="pending" />;
  if (!wallet.held) return <Badge word="No worker holds it" icon={Unplug} tone="failed" />;
  return <Badge word="Working" icon={Check} tone="executed" />;
}
