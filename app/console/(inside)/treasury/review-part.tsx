import { useQuery } from "@tanstack/react-query";
import { Id, KeyValues, Money } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import type { Review } from "./answers.ts";
import { Decide } from "./decide.tsx";

type Props = { transferId: string; mayDecide: boolean; onDecided: () => void };

/** What the chain says of a payment under review just now, and what may be decided of it. */
export function ReviewPart({ transferId, mayDecide, onDecided }: Props) {
  const trpc = useTRPC();
  const { data, error, isPending, refetch } = useQuery(trpc.treasury.review.queryOptions({ transfer_id: transferId }, { retry: false }));
  if (isPending) return <Skeleton rows={4} label="Asking the chain" />;
  if (!data) return <Trouble error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Note kind="danger">{data.review_reason}</Note>
      <KeyValues
        items={[
          { key: "Owed", value: <Money amount={data.amount} currency={data.currency} /> },
          { key: "To", value: <Id value={data.recipient} what="recipient" full /> },
          { key: "For", value: <Id value={data.owner_id} what="id" {...settlementLink(data)} /> },
          { key: "Wallet", value: <Id value={data.wallet} what="wallet" /> },
          { key: "Nonce", value: data.nonce.toLocaleString("en") },
        ]}
      />
      <h3>What the chain says now</h3>
      <Witnesses review={data} />
      {mayDecide ? <Decide review={data} onDecided={onDecided} /> : <p className="muted">Only an admin decides.</p>}
    </>
  );
}

function settlementLink({ purpose, owner_id }: Review) {
  return purpose === "settlement" ? { href: `/console/settlements/${owner_id}` } : {};
}

const SEEN: Record<string, string> = {
  unknown: "is not on the chain",
  reverted: "was reverted: it moved nothing",
  paid: "made the payment",
  moved_nothing: "succeeded, is final, and provably moved nothing",
  unclear: "succeeded; what it moved is not proven",
};

function Witnesses({ review }: { review: Review }) {
  return (
    <ul className="witnesses">
      {review.nodes.map(({ node, nonce, attempts, danger }) => (
        <li key={node}>
          <strong>{node}</strong>{" "}
          {attempts === null ? (
            "does not answer, or no longer knows: nothing can be decided against it."
          ) : (
            <>
              has {(nonce ?? 0).toLocaleString("en")} transactions of the wallet in blocks: nonce {review.nonce}{" "}
              {(nonce ?? 0) > review.nonce ? "is spent." : "is not spent."}
              <ul>
                {attempts.map(({ hash, kind, seen }) => (
                  <li key={hash}>
                    Our {kind} <Id value={hash} what="transaction hash" /> {SEEN[seen] ?? seen}.
                  </li>
                ))}
              </ul>
              {danger !== null && <span className="muted">In the way of “not paid”: {danger}</span>}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
