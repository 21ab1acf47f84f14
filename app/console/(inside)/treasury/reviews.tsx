import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Id, Money } from "../../_components/controls/values.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Served, Trans, useTranslations } from "../../_words/words.ts";
import type { UnderReview } from "./answers.ts";
import { REVIEWS } from "./order-words.ts";
import { ReviewPart } from "./review-part.tsx";

type Props = { reviews: readonly UnderReview[]; mayDecide: boolean; onDecided: () => void };

/** Payments whose outcome is unknown until a person decides. Hidden when there are none. */
export function Reviews({ reviews, mayDecide, onDecided }: Props) {
  const t = useTranslations(REVIEWS);
  const [shown, setShown] = useState<string | null>(null);
  return (
    <>
      {reviews.length > 0 && (
        <section className="note reviews" data-kind="danger" aria-label={t.label}>
          <h2>{t.title(reviews.length)}</h2>
          <ul>
            {reviews.map((review) => (
              <li key={review.transfer_id} className="card-line">
                <div className="review-words">
                  <p className="review-what">
                    <Trans
                      sentence={t.line}
                      amount={<Money amount={review.amount} currency={review.currency} />}
                      recipient={<Id value={review.recipient} what={t.recipient} copy={false} />}
                    />
                  </p>
                  <p>{review.review_reason && <Served>{review.review_reason}</Served>}</p>
                </div>
                <span className="wallet-buttons">
                  <Button onClick={() => setShown(review.transfer_id)}>
                    {mayDecide ? t.decide : t.look} <span className="sr-only">{t.onTransfer(review.transfer_id)}</span>
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Dialog open={shown !== null} onOpenChange={(open) => !open && setShown(null)} title={t.question} width="wide">
        {shown && (
          <ReviewPart
            transferId={shown}
            isOpen={reviews.some(({ transfer_id: id }) => id === shown)}
            mayDecide={mayDecide}
            onDecided={() => {
              setShown(null);
              onDecided();
            }}
          />
        )}
      </Dialog>
    </>
  );
}
