import type { Answers } from "#server/console/router.ts";
import { Time } from "../../../_components/controls/values.tsx";
import { useWords } from "../../../_words/words.ts";
import { REFUSALS } from "./words.ts";

type Refusal = Answers["apiLog"]["summary"]["refusals"][number];

/** What was refused in the range, by error and operation. */
export function Refusals({ refusals, onChoose }: { refusals: readonly Refusal[]; onChoose: (code: string) => void }) {
  const says = useWords(REFUSALS);
  if (refusals.length === 0) return null;
  return (
    <details className="refusals">
      <summary>{says.title(refusals.length)}</summary>
      <div className="sum-scroll">
        <table className="attempt-table">
          <caption className="sr-only">{says.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{says.code}</th>
              <th scope="col">{says.status}</th>
              <th scope="col">{says.operation}</th>
              <th scope="col">{says.count}</th>
              <th scope="col">{says.latest}</th>
              <th scope="col">{says.action}</th>
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
                  <a href={`/docs/errors/${code}`}>{says.docs}</a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
