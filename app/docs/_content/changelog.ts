import { CHANGES, type Change } from "#contract/changes.ts";

/** A change with an id of its own, which stays when newer changes come: its day, and its number on that day. */
export type NumberedChange = Change & { id: string };

/** Newest first. The list grows at its beginning, so the number counts from its end. */
export const NUMBERED_CHANGES: readonly NumberedChange[] = CHANGES.map((change, place) => {
  const number = CHANGES.slice(place).filter(({ on }) => on === change.on).length;
  return { ...change, id: `change-${change.on}-${number}` };
});

/** `Added`. */
export function kindOf({ kind }: Change): string {
  return `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
}

/** The changelog as an Atom feed (RFC 4287). */
export function atomFeed(baseUrl: string): string {
  const page = `${baseUrl}/docs/changelog`;
  const at = (on: string) => `${on}T00:00:00Z`;
  const entries = NUMBERED_CHANGES.map(
    (change) => `  <entry>
    <id>${xml(`${page}#${change.id}`)}</id>
    <title>${xml(titleOf(change))}</title>
    <updated>${at(change.on)}</updated>
    <link href="${xml(`${page}#${change.id}`)}"/>
    <content type="text">${xml(change.text)}</content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${xml(page)}</id>
  <title>Settlement service: changes for integrators</title>
  <updated>${at(NUMBERED_CHANGES[0]?.on ?? "1970-01-01")}</updated>
  <author><name>Settlement service</name></author>
  <link rel="self" href="${xml(`${page}/feed.atom`)}"/>
  <link href="${xml(page)}"/>
${entries.join("\n")}
</feed>
`;
}

const LONGEST_TITLE = 100;

/** The first sentence, or as much of it as a title holds. */
function titleOf(change: Change): string {
  const [first = ""] = change.text.split(/(?<=\.)\s/);
  return `${kindOf(change)}: ${first.length > LONGEST_TITLE ? `${first.slice(0, LONGEST_TITLE)}…` : first}`;
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
