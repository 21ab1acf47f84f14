"use client";

import { lazy, type ReactNode, useEffect } from "react";
import { useLanguage } from "../_components/frame/preferences.tsx";

const InFrench = lazy(() => import("./in-french.tsx"));

/** Shows the console in the user's language. Only a page in French loads the French texts. */
export function Spoken({ children }: { children: ReactNode }) {
  const language = useLanguage();
  useEffect(() => {
    // The documentation shares the document, and is English.
    document.documentElement.lang = language === "fr" ? "fr" : "en";
    return () => {
      document.documentElement.lang = "en";
    };
  }, [language]);
  return language === "fr" ? <InFrench>{children}</InFrench> : children;
}
