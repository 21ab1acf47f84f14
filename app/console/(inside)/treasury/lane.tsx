import { Ban, Check, Ellipsis, Hourglass, Loader, SearchAlert, X } from "lucide-react";
import Link from "next/link";
import { IconButton } from "../../_components/controls/button.tsx";
import { useNow } from "../../_components/controls/clock.tsx";
import { Menu, MenuItem } from "../../_components/controls/menu.tsx";
import { Badge, Id, Time } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { type Column, moneyColumn, None, Table } from "../../_components/lists/table.tsx";
import { span } from "../../_format/time.ts";
import type { LaneEntry, Wallet } from "./answers.ts";
import type { Order } from "./order-dialog.tsx";

type Props = { wallet: Wallet; onOrder: ((order: Order) => void) | null };

const STATES: Record<string, Parameters<typeof Badge>[0]> = {
  signed: { word: "Signed", icon: Hourglass, tone: "pending" },
  broadcast: { word: "On its way", icon: Loader, tone: "processing" },
  mined: { word: "In a block", icon: Loader, tone: "approved" },
  executed: { word: "Final", icon: Check, tone: "executed" },
  failed: { word: "Failed", icon: X, tone: "failed" },
  needs_review: { word: "Needs review", icon: SearchAlert, tone: "rejected" },
};

/** The wallet's sequence: what is confirmed, what is on its way, what comes next; and where it has holes. */
export function Lane({ wallet, onOrder }: Props) {
  const now = useNow(5_000);
  const { lane, gaps, next_nonce, in_flight } = wallet;
  const open = lane.filter(({ state }) => state === "signed" || state === "broadcast");
  const oldest = open.map(({ created_at }) => new Date(created_at).getTime()).sort((left, right) => left - right)[0];
  const confirmed = in_flight.lowest_nonce ?? next_nonce;
  const columns: Column<LaneEntry>[] = [
    {
      ...{ id: "nonce", header: "Nonce", align: "end", card: 1.1 },
      cell: ({ nonce }) => nonce.toLocaleString("en"),
      inCard: ({ nonce }) => `#${nonce.toLocaleString("en")}`,
    },
    {
      ...{ id: "state", header: "State", card: 1.2 },
      cell: ({ state }) => <Badge {...(STATES[state] ?? { word: state, icon: Ban, tone: "plain" })} />,
    },
    { id: "for", header: "For", cell: ownerOf, card: 2.1 },
    moneyColumn("amount", "Amount", ({ amount, currency }) => [amount, currency], { card: 2.2 }),
    { id: "hash", header: "Transaction", cell: hashOf, card: 3.1 },
    { id: "fee", header: "Fee at most", align: "end", cell: feeOf },
    { id: "since", header: "Signed", cell: ({ created_at }) => <Time at={created_at} /> },
    ...(onOrder
      ? [{ id: "act", header: "", align: "end" as const, cell: (entry: LaneEntry) => <Orders {...{ entry, onOrder }} />, card: 3.2 }]
      : []),
  ];
  return (
    <div className="lane">
      <p className="lane-line">
        {next_nonce === null ? (
          "Its sequence has not begun."
        ) : (
          <>
            Confirmed below <strong>{(confirmed ?? 0).toLocaleString("en")}</strong> · {in_flight.count} on their way · next{" "}
            <strong>{next_nonce.toLocaleString("en")}</strong>
            {oldest !== undefined && <> · oldest for {span(Math.max(0, now - oldest))}</>}
          </>
        )}
      </p>
      {gaps.length > 0 && (
        <Note kind="danger">
          Nobody's: {gaps.slice(0, 20).join(", ")}
          {gaps.length > 20 && ` and ${gaps.length - 20} more`}. These nonces belong to no transaction of ours: something else used the key,
          or they are missing.
        </Note>
      )}
      {lane.length > 0 && (
        <Table
          caption={`Nonces of wallet ${wallet.address}`}
          columns={columns}
          rows={lane.toReversed()}
          keyOf={({ transfer_id }) => transfer_id}
        />
      )}
    </div>
  );
}

const PURPOSES: Record<string, string> = { topup: "Top-up", sweep: "Sweep", return: "Return", deployment: "Safe", filler: "Filler" };

function ownerOf({ purpose, owner_id }: LaneEntry) {
  if (purpose === "settlement") return <Id value={owner_id} what="settlement" href={`/console/settlements/${owner_id}`} copy={false} />;
  return (
    <>
      {PURPOSES[purpose] ?? purpose}{" "}
      {/^(tu|wd)_/.test(owner_id) ? (
        <Link href={`/console/fiat/${owner_id}`}>{owner_id.slice(-6)}</Link>
      ) : (
        <Id value={owner_id} what="owner" copy={false} />
      )}
    </>
  );
}

/** The newest hash; the ones that it replaced for those who look. */
function hashOf({ tx_hash, attempts }: LaneEntry) {
  const newest = tx_hash ?? attempts.at(-1)?.hash;
  if (newest === undefined) return <None />;
  const replaced = attempts.filter(({ hash }) => hash !== newest);
  return (
    <>
      <Id value={newest} what="transaction hash" />
      {replaced.length > 0 && (
        <span className="muted" title={replaced.map(({ hash }) => hash).join("\n")}>
          {" "}
          replaced {replaced.length}
        </span>
      )}
    </>
  );
}

function feeOf({ attempts }: LaneEntry) {
  const last = attempts.at(-1);
  if (last === undefined) return <None />;
  const bumps = attempts.filter(({ kind }) => kind === "payment").length - 1;
  return (
    <>
      {Number(last.max_fee_gwei).toLocaleString("en", { maximumFractionDigits: 3 })} gwei
      {bumps > 0 && <span className="muted"> raised {bumps === 1 ? "once" : `${bumps} times`}</span>}
      {last.kind === "cancellation" && <span className="muted"> cancellation</span>}
    </>
  );
}

function Orders({ entry, onOrder }: { entry: LaneEntry; onOrder: (order: Order) => void }) {
  if (entry.state !== "signed" && entry.state !== "broadcast") return null;
  return (
    <Menu trigger={<IconButton label={`Orders for nonce ${entry.nonce}`} icon={Ellipsis} />}>
      <MenuItem onSelect={() => onOrder({ what: "bump", entry })}>Raise the fee</MenuItem>
      {entry.cancel_requested_at === null && (
        <MenuItem onSelect={() => onOrder({ what: "cancel", entry })}>Cancel with a self-transfer</MenuItem>
      )}
    </Menu>
  );
}
