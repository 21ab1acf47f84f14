import type { Answers } from "#server/console/router.ts";
import { Time } from "../../../_components/controls/values.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { REFUSALS } from "./words.ts";

type Refusal = Answers["apiLog"]["summary"]["refusals"][number];

/** Refusals in the range, by error and operation. */
export function Refusals({ refusals, onChoose }: { refusals: readonly Refusal[]; onChoose: (code: string) => void }) {
  const t = useTranslations(REFUSALS);
  if (refusals.length === 0) return null;
  return (
    <details className="refusals">
      <summary>{t.title(refusals.length)}</summary>
      <div className="sum-scroll">
        <table className="attempt-table">
          <caption className="sr-only">{t.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{t.code}</th>
              <th scope="col">{t.status}</th>
              <th scope="col">{t.operation}</th>
              <th scope="col">{t.count}</th>
              <th scope="col">{t.latest}</th>
              <th scope="col">{t.action}</th>
            </tr>
          </thead>
          <tbody>
            {refusals.map(({ code, status, operation, count, latest_at }) => (
              <tr key={`${code} ${operation}`}>
                <td>
                  <button type="button" className="chip" translate="no" onClick={() => onChoose(code)}>
                    {code}
                  </button>
                </td>
                <td>{status}</td>
                <td translate="no">{operation}</td>
                <td>{count}</td>
                <td>
                  <Time at={latest_at} form="absolute" />
                </td>
                <td>
                  <a href={`/docs/errors/${code}`}>{t.docs}</a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
