import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { FRAME } from "./console/_components/frame/words.ts";
import { translationsOf } from "./console/_words/server.ts";
import "./theme.css";

export const metadata: Metadata = {
  title: { default: "Settlement service", template: "%s · Settlement service" },
  description: "Turn your merchants' fiat into crypto: quote, confirm, paid on chain exactly once.",
  referrer: "strict-origin-when-cross-origin",
};

export const viewport: Viewport = { width: "device-width", initialScale: 1, colorScheme: "light dark" };

/** Every page is rendered per request, because its scripts carry the nonce of its Content-Security-Policy. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  await connection();
  const t = await translationsOf(FRAME);
  const theme = (await cookies()).get("theme")?.value;
  const chosen = theme === "light" || theme === "dark" ? { "data-theme": theme } : {};
  return (
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`} {...chosen}>
      <body>
        <a className="skip-link" href="#main">
          {t.skip}
        </a>
        {children}
      </body>
    </html>
  );
}
