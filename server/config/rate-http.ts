import { z } from "zod";
import { HTTP_RATE_DEFAULTS, type HttpRateConfig, REFERENCE_FORMATS, TICKER_FORMATS } from "#server/adapters/rates/http/config.ts";
import { placeOf, plainIssue } from "./weakness.ts";

const wholeNumber = (least: number, most: number) => {
  const sentence = `wants a whole number from ${least} to ${most}`;
  return z.int(sentence).min(least, sentence).max(most, sentence);
};
const sourceUrl = z.string().regex(/^https?:\/\/[^\s/]+/, "wants an http or https URL");
/** A header's value, or the name of the variable that contains it, so that a key need not be in the file. */
const headers = z.record(z.string().regex(/^[A-Za-z0-9-]+$/), z.union([z.string(), z.strictObject({ env: z.string().min(1) })])).optional();
const name = z.string().regex(/^[a-z0-9_.-]{1,40}$/, "wants a short name in lower case");

const written = z.strictObject({
  tickers: z
    .array(
      z.strictObject({
        name,
        format: z.enum(TICKER_FORMATS, `wants one of ${TICKER_FORMATS.join(", ")}`),
        url: sourceUrl,
        spellings: z.record(z.string(), z.string()).optional(),
        headers,
      }),
    )
    .min(1, "wants at least one ticker"),
  references: z
    .array(
      z.strictObject({ name, format: z.enum(REFERENCE_FORMATS, `wants one of ${REFERENCE_FORMATS.join(", ")}`), url: sourceUrl, headers }),
    )
    .min(1, "wants at least one reference"),
  quote_currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "wants a fiat currency code")
    .default(HTTP_RATE_DEFAULTS.quoteCurrency),
  timeout_ms: wholeNumber(100, 30_000).default(HTTP_RATE_DEFAULTS.timeoutMs),
  maximum_bytes: wholeNumber(1_024, 10_000_000).default(HTTP_RATE_DEFAULTS.maximumBytes),
  maximum_ticker_age_seconds: wholeNumber(1, 3_600).default(HTTP_RATE_DEFAULTS.maximumTickerAgeSeconds),
  maximum_reference_age_seconds: wholeNumber(60, 2_592_000).default(HTTP_RATE_DEFAULTS.maximumReferenceAgeSeconds),
  outlier_bps: wholeNumber(1, 5_000).default(HTTP_RATE_DEFAULTS.outlierBps),
  minimum_tickers: wholeNumber(1, 20).default(HTTP_RATE_DEFAULTS.minimumTickers),
  minimum_references: wholeNumber(1, 20).default(HTTP_RATE_DEFAULTS.minimumReferences),
});

type Report = (problem: string) => void;
type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of the http rate source. Every fault is passed to `report`; null if the form is wrong. */
export function parseRateHttp(text: string, env: Environment, live: boolean, report: Report): HttpRateConfig | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    report("RATE_HTTP is not valid JSON.");
    return null;
  }
  const parsed = written.safeParse(json);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) report(`RATE_HTTP${placeOf(issue.path)} ${plainIssue(issue)}.`);
    return null;
  }
  const settings = parsed.data;
  if (settings.tickers.length < settings.minimum_tickers)
    report(`RATE_HTTP names fewer tickers than minimum_tickers, ${settings.minimum_tickers}.`);
  if (settings.references.length < settings.minimum_references) {
    report(`RATE_HTTP names fewer references than minimum_references, ${settings.minimum_references}.`);
  }
  if (live) {
    for (const kind of ["tickers", "references"] as const) {
      if (settings[`minimum_${kind}`] < 2)
        report(`RATE_HTTP: minimum_${kind} is 1: one source would decide every price; name two or more ${kind}.`);
    }
  }
  const names = [...settings.tickers, ...settings.references].map((source) => source.name);
  for (const double of new Set(names.filter((one, index) => names.indexOf(one) !== index))) report(`RATE_HTTP names ${double} twice.`);
  for (const source of [...settings.tickers, ...settings.references]) {
    if (live && !source.url.startsWith("https://")) report(`RATE_HTTP: the source ${source.name} must be https.`);
  }
  return {
    tickers: settings.tickers.map(({ spellings, headers: headerSettings, ...ticker }) => ({
      ...ticker,
      ...(spellings ? { spellings } : {}),
      ...resolved(headerSettings, env, report),
    })),
    references: settings.references.map(({ headers: headerSettings, ...reference }) => ({
      ...reference,
      ...resolved(headerSettings, env, report),
    })),
    quoteCurrency: settings.quote_currency,
    timeoutMs: settings.timeout_ms,
    maximumBytes: settings.maximum_bytes,
    maximumTickerAgeSeconds: settings.maximum_ticker_age_seconds,
    maximumReferenceAgeSeconds: settings.maximum_reference_age_seconds,
    outlierBps: settings.outlier_bps,
    minimumTickers: settings.minimum_tickers,
    minimumReferences: settings.minimum_references,
  };
}

function resolved(headerSettings: z.infer<typeof headers>, env: Environment, report: Report): { headers?: Record<string, string> } {
  if (headerSettings === undefined) return {};
  const entries = Object.entries(headerSettings).map(([header, value]): [string, string] => {
    if (typeof value === "string") return [header, value];
    const secret = env[value.env] ?? "";
    if (secret === "") report(`${value.env} is missing: RATE_HTTP sends it as ${header}.`);
    return [header, secret];
  });
  return { headers: Object.fromEntries(entries) };
}
