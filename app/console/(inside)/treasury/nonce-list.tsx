import { Ban, Check, Ellipsis, Hourglass, Loader, SearchAlert, X } from "lucide-react";
import { IconButton } from "../../_components/controls/button.tsx";
import { useNow } from "../../_components/controls/clock.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Menu, MenuItem } from "../../_components/controls/menu.tsx";
import { Badge, Id, Time } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { type Column, moneyColumn, None, Table } from "../../_components/lists/table.tsx";
import { Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import type { NonceEntry, Wallet } from "./answers.ts";
import type { Order } from "./order-dialog.tsx";
import { NONCE_QUEUE } from "./words.ts";

type Translations = WithShared<typeof NONCE_QUEUE>;

type Props = { wallet: Wallet; onOrder: ((order: Order) => void) | null };

const STATES: Record<string, Omit<Parameters<typeof Badge>[0], "word">> = {
  signed: { icon: Hourglass, tone: "pending" },
  broadcast: { icon: Loader, tone: "processing" },
  mined: { icon: Loader, tone: "approved" },
  executed: { icon: Check, tone: "executed" },
  failed: { icon: X, tone: "failed" },
  needs_review: { icon: SearchAlert, tone: "rejected" },
};

/** The wallet's sequence: confirmed, in flight and next nonces, and its gaps. */
export function HaltScope({ wallet, onOrder }: Props) {
  const t = useTranslations(NONCE_QUEUE);
  const now = useNow(5_000);
  const { nonces, gaps, next_nonce, in_flight } = wallet;
  const open = nonces.filter(({ state }) => state === "signed" || state === "broadcast");
  const oldest = open.map(({ created_at }) => new Date(created_at).getTime()).sort((left, right) => left - right)[0];
  const confirmed = in_flight.lowest_nonce ?? next_nonce;
  const columns: Column<NonceEntry>[] = [
    {
      id: "nonce",
      header: t.nonce,
      align: "end",
      card: 1.1,
      cell: ({ nonce }) => t.format.count(nonce),
      inCard: ({ nonce }) => `#${t.format.count(nonce)}`,
    },
    {
      id: "state",
      header: t.state,
      card: 1.2,
      cell: ({ state }) => <Badge word={t.states[state] ?? state} {...(STATES[state] ?? { icon: Ban, tone: "plain" })} />,
    },
    { id: "for", header: t.purpose, cell: (entry) => ownerOf(entry, t), card: 2.1 },
    moneyColumn("amount", t.amount, ({ amount, currency }) => [amount, currency], { card: 2.2 }),
    { id: "hash", header: t.transaction, cell: (entry) => hashOf(entry, t), card: 3.1 },
    { id: "fee", header: t.fee, align: "end", cell: (entry) => feeOf(entry, t) },
    { id: "since", header: t.signed, cell: ({ created_at }) => <Time at={created_at} /> },
    ...(onOrder
      ? [
          {
            id: "act",
            header: "",
            align: "end" as const,
            cell: (entry: NonceEntry) => <Orders entry={entry} onOrder={onOrder} />,
            card: 3.2,
          },
        ]
      : []),
  ];
  return (
    <div className="nonces">
      <p className="scope-line">
        {next_nonce === null ? (
          t.noTransactions
        ) : (
          <>
            <Trans
              sentence={t.summary(in_flight.count)}
              below={<strong>{t.format.count(confirmed ?? 0)}</strong>}
              next={<strong>{t.format.count(next_nonce)}</strong>}
            />
            {oldest !== undefined && <> · {t.oldestAge(t.format.span(Math.max(0, now - oldest)))}</>}
          </>
        )}
      </p>
      {gaps.length > 0 && <Note kind="danger">{t.unknownNonces(gaps.slice(0, 20).join(", "), gaps.length - 20)}</Note>}
      {nonces.length > 0 && (
        <Table caption={t.caption(wallet.address)} columns={columns} rows={nonces.toReversed()} keyOf={({ transfer_id }) => transfer_id} />
      )}
    </div>
  );
}

function ownerOf({ purpose, owner_id }: NonceEntry, t: Translations) {
  if (purpose === "settlement")
    return <Id value={owner_id} what={t.settlementNoun} href={`/console/settlements/${owner_id}`} copy={false} />;
  return (
    <span>
      {t.purposes[purpose] ?? purpose}{" "}
      {/^(tu|wd)_/.test(owner_id) ? (
        <Link href={`/console/fiat/${owner_id}`} translate="no">
          {owner_id.slice(-6)}
        </Link>
      ) : (
        <Id value={owner_id} what={t.ownerNoun} copy={false} />
      )}
    </span>
  );
}

/** The newest hash, with the replaced ones on demand. */
function hashOf({ tx_hash, attempts }: NonceEntry, t: Translations) {
  const newest = tx_hash ?? attempts.at(-1)?.hash;
  if (newest === undefined) return <None />;
  const replaced = attempts.filter(({ hash }) => hash !== newest);
  return (
    <>
      <Id value={newest} what={t.transactionHash} />
      {replaced.length > 0 && (
        <span className="muted" title={replaced.map(({ hash }) => hash).join("\n")}>
          {t.replacedAttempts(replaced.length)}
        </span>
      )}
    </>
  );
}

function feeOf({ attempts }: NonceEntry, t: Translations) {
  const last = attempts.at(-1);
  if (last === undefined) return <None />;
  const bumps = attempts.filter(({ kind }) => kind === "payment").length - 1;
  return (
    <>
      {t.gwei(t.format.rounded(Number(last.max_fee_gwei), 3))}
      {bumps > 0 && <span className="muted"> {t.feeRaised(bumps)}</span>}
      {last.kind === "cancellation" && <span className="muted"> {t.cancellation}</span>}
    </>
  );
}

function Orders({ entry, onOrder }: { entry: NonceEntry; onOrder: (order: Order) => void }) {
  const t = useTranslations(NONCE_QUEUE);
  if (entry.state !== "signed" && entry.state !== "broadcast") return null;
  return (
    <Menu trigger={<IconButton label={t.orders(entry.nonce)} icon={Ellipsis} />}>
      <MenuItem onSelect={() => onOrder({ what: "bump", entry })}>{t.raiseFee}</MenuItem>
      {entry.cancel_requested_at === null ? (
        <MenuItem onSelect={() => onOrder({ what: "cancel", entry })}>{t.cancelSelfTransfer}</MenuItem>
      ) : (
        <MenuItem onSelect={() => onOrder({ what: "withdraw", entry })}>{t.withdrawCancellation}</MenuItem>
      )}
    </Menu>
  );
}
