import { useTranslations } from "../../_words/words.ts";
import { Button } from "./button.tsx";
import { PROGRESS } from "./words.ts";

type ProgressProps = {
  done: number;
  of: number;
  /** What is counted, in the plural. */
  what: string;
  onCancel?: () => void;
};

/** How far something has come that takes longer than two seconds, by what is counted; it ends when somebody cancels it. */
export function Progress({ done, of, what, onCancel }: ProgressProps) {
  const t = useTranslations(PROGRESS);
  const said = t.reached(t.format.count(done), t.format.count(of), what);
  return (
    <div className="reached" role="status">
      <progress value={done} max={Math.max(1, of)} aria-label={said} />
      <span>{said}</span>
      {onCancel && <Button onClick={onCancel}>{t.cancel}</Button>}
    </div>
  );
}
