import { titled } from "../_words/server.ts";
import { RunbookPage } from "./runbook-page.tsx";
import { RUNBOOK_INDEX } from "./texts.ts";
import { RUNBOOKS_PAGE } from "./words.ts";

export const generateMetadata = titled(RUNBOOKS_PAGE);

export default function Runbooks() {
  return <RunbookPage text={RUNBOOK_INDEX} isIndex />;
}
