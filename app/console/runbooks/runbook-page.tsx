import { translationsOf } from "../_words/server.ts";
import { Markdown } from "./markdown.tsx";
import { RUNBOOKS_PAGE } from "./words.ts";

/**
 * A runbook from the documentation, for anyone who opens it. It needs neither the database nor a session, so that it works during an
 * incident.
 */
export async function RunbookPage({ text, isIndex = false }: { text: string; isIndex?: boolean }) {
  const t = await translationsOf(RUNBOOKS_PAGE);
  return (
    <div className="runbook">
      <nav aria-label={t.navigation} className="runbook-nav">
        <a href="/console">{t.console}</a>
        {!isIndex && <a href="/console/runbooks">{t.all}</a>}
      </nav>
      <main id="main" tabIndex={-1} lang="en">
        <Markdown text={text} />
      </main>
    </div>
  );
}
