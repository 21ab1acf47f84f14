import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Id, Money } from "../../_components/controls/values.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import type { UnderReview } from "./answers.ts";
import { ReviewPart } from "./review-part.tsx";

type Props = { reviews: readonly UnderReview[]; mayDecide: boolean; onDecided: () => void };

/** Payments of which nobody knows whether they were made, until a person says so. Nothing is shown where there are none. */
export function Reviews({ reviews, mayDecide, onDecided }: Props) {
  const [shown, setShown] = useState<string | null>(null);
  if (reviews.length === 0) return null;
  return (
    <section className="note reviews" data-kind="danger" aria-label="Needs review">
      <h2>{reviews.length === 1 ? "1 payment needs review" : `${reviews.length} payments need review`}</h2>
      <ul>
        {reviews.map((review) => (
          <li key={review.transfer_id} className="card-line">
            <span>
              <Money amount={review.amount} currency={review.currency} /> to <Id value={review.recipient} what="recipient" copy={false} />{" "}
              <span className="muted">{review.review_reason}</span>
            </span>
            <Button onClick={() => setShown(review.transfer_id)}>
              {mayDecide ? "Decide" : "Look"} <span className="sr-only">on {review.transfer_id}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Dialog open={shown !== null} onOpenChange={(open) => !open && setShown(null)} title="Was it paid?" width="wide">
        {shown && (
          <ReviewPart
            transferId={shown}
            mayDecide={mayDecide}
            onDecided={() => {
              setShown(null);
              onDecided();
            }}
          />
        )}
      </Dialog>
    </section>
  );
}
