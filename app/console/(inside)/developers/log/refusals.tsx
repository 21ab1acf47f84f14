import type { Answers } from "#server/console/router.ts";
import { Time } from "../../../_components/controls/values.tsx";

type Refusal = Answers["apiLog"]["summary"]["refusals"][number];

/** What was refused in the range, by error and operation. */
export function Refusals({ refusals, onChoose }: { refusals: readonly Refusal[]; onChoose: (code: string) => void }) {
  if (refusals.length === 0) return null;
  return (
    <details className="refusals">
      <summary>Errors by code and operation ({refusals.length})</summary>
      <div className="sum-scroll">
        <table className="attempt-table">
          <caption className="sr-only">Errors by code and operation</caption>
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">Status</th>
              <th scope="col">Operation</th>
              <th scope="col">Count</th>
              <th scope="col">Latest</th>
              <th scope="col">What to do</th>
            </tr>
          </thead>
          <tbody>
            {refusals.map(({ code, status, operation, count, latest_at }) => (
              <tr key={`${code} ${operation}`}>
                <td>
                  <button type="button" className="chip" onClick={() => onChoose(code)}>
                    {code}
                  </button>
                </td>
                <td>{status}</td>
                <td>{operation}</td>
                <td>{count}</td>
                <td>
                  <Time at={latest_at} form="absolute" />
                </td>
                <td>
                  <a href={`/docs/errors/${code}`}>Docs</a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
