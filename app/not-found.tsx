import type { Metadata } from "next";

export const metadata: Metadata = { title: "No such page" };

export default function NotFound() {
  return (
    <main id="main" tabIndex={-1} className="plain-page">
      <h1>There is no such page</h1>
      <p>
        The address may be mistyped, or the page has moved. Start from the <a href="/docs">documentation</a>.
      </p>
    </main>
  );
}
