import { useQuery } from "@tanstack/react-query";
import { Id, KeyValues, Money } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Served } from "../../_words/served.tsx";
import { Told } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import type { Review } from "./answers.ts";
import { Decide } from "./decide.tsx";
import { REVIEW_PART } from "./order-words.ts";

type Props = { transferId: string; mayDecide: boolean; onDecided: () => void };

/** What the chain says of a payment under review just now, and what may be decided of it. */
export function ReviewPart({ transferId, mayDecide, onDecided }: Props) {
  const says = useWords(REVIEW_PART);
  const trpc = useTRPC();
  const { data, error, isPending, refetch } = useQuery(trpc.treasury.review.queryOptions({ transfer_id: transferId }, { retry: false }));
  if (isPending) return <Skeleton rows={4} label={says.askingChain} />;
  if (!data) return <Trouble error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Note kind="danger">
        <Served>{data.review_reason}</Served>
      </Note>
      <KeyValues
        items={[
          { key: says.owed, value: <Money amount={data.amount} currency={data.currency} /> },
          { key: says.to, value: <Id value={data.recipient} what={says.recipient} full /> },
          { key: says.for, value: <Id value={data.owner_id} what={says.id} {...settlementLink(data)} /> },
          { key: says.wallet, value: <Id value={data.wallet} what={says.theWallet} /> },
          { key: says.nonce, value: data.nonce.toLocaleString("en") },
        ]}
      />
      <h3>{says.chainSaysNow}</h3>
      <Witnesses review={data} />
      {mayDecide ? <Decide review={data} onDecided={onDecided} /> : <p className="muted">{says.onlyAdminDecides}</p>}
    </>
  );
}

function settlementLink({ purpose, owner_id }: Review) {
  return purpose === "settlement" ? { href: `/console/settlements/${owner_id}` } : {};
}

function Witnesses({ review }: { review: Review }) {
  const says = useWords(REVIEW_PART);
  return (
    <ul className="witnesses">
      {review.nodes.map(({ node, nonce, attempts, danger }) => (
        <li key={node}>
          {attempts === null ? (
            <Told sentence={says.silent} node={<strong translate="no">{node}</strong>} />
          ) : (
            <>
              <Told
                sentence={says.has((nonce ?? 0).toLocaleString("en"), review.nonce, (nonce ?? 0) > review.nonce)}
                node={<strong translate="no">{node}</strong>}
              />
              <ul>
                {attempts.map(({ hash, kind, seen }) => (
                  <li key={hash}>
                    <Told sentence={says.ours[kind] ?? "{hash}"} hash={<Id value={hash} what={says.transactionHash} />} />{" "}
                    {says.seen[seen] ?? seen}
                  </li>
                ))}
              </ul>
              {danger !== null && <span className="muted">{says.inTheWay(danger)}</span>}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
