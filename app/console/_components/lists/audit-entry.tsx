import { Id, KeyValues, Time } from "#app/console/_components/controls/values.tsx";
import { Dialog } from "#app/console/_components/dialogs/dialog.tsx";
import { Note, Scroll } from "#app/console/_components/frame/page-parts.tsx";
import { auditActorName } from "#domain/audit-sentence.ts";
import { Data } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { type Entry, Sentence } from "./audit-sentence.tsx";
import { None } from "./table.tsx";
import { AUDIT_ENTRIES } from "./words.ts";

/** What exactly an entry of the audit log recorded, in a drawer. */
export function AuditEntry({ open, entry, onClose }: { open: boolean; entry: Entry | null; onClose: () => void }) {
  const says = useWords(AUDIT_ENTRIES);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={says.whatRecorded} shape="drawer">
      {entry && <Recorded entry={entry} />}
    </Dialog>
  );
}

function Recorded({ entry }: { entry: Entry }) {
  const says = useWords(AUDIT_ENTRIES);
  const { differences, request_id, seq, partner } = entry;
  return (
    <>
      <p>
        <strong lang="en">{auditActorName(entry.actor)}</strong> <Sentence entry={entry} />
      </p>
      {entry.reason && (
        <Note>
          “<Data>{entry.reason}</Data>”
        </Note>
      )}
      <KeyValues
        items={[
          { key: says.time, value: <Time at={entry.at} form="absolute" /> },
          { key: says.action, value: <code>{entry.action}</code> },
          { key: says.object, value: <Id value={entry.object.id} what={says.objectId} full /> },
          partner && { key: says.partner, value: <Data>{partner.name}</Data> },
          request_id !== null && { key: says.request, value: <Id value={request_id} what={says.requestId} full /> },
          { key: says.entry, value: <Id value={entry.id} what={says.entryId} full /> },
          { key: says.seal, value: seq === null ? says.waitsItsSeal : `#${seq.toLocaleString("en")}` },
        ]}
      />
      {differences.length > 0 && (
        <Scroll label={says.whatChanged}>
          <table className="compare">
            <thead>
              <tr>
                <th scope="col">{says.field}</th>
                <th scope="col">{says.before}</th>
                <th scope="col">{says.after}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ field, before, after }) => (
                <tr key={field}>
                  <th scope="row" lang="en">
                    {field.replaceAll("_", " ")}
                  </th>
                  <td className="diff-value" translate="no">
                    {before ?? <None />}
                  </td>
                  <td className="diff-value" translate="no">
                    {after ?? <None />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}
