/** The processes, each with a log-in of its own. */
export type ProcessKind = "web" | "worker" | "signer";

const OWN = { web: "WEB_DATABASE_URL", worker: "WORKER_DATABASE_URL", signer: "SIGNER_DATABASE_URL" } as const;
/** Where a process reaches the database. */
const PLACES = ["DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_READ_URL"] as const;

type Given = Readonly<Record<string, unknown>>;

/** The variables that name databases. No process gets another one's. */
export const DATABASE_VARIABLES: readonly string[] = [...PLACES, ...Object.values(OWN)];

/**
 * Where a kind of process reaches the database, as it logs in. With a URL of its own, the direct one and the replica's only say where they
 * are: the log-in is the same, by password or by certificate.
 */
export function databaseUrlsOf(kind: ProcessKind, given: Given): Partial<Record<(typeof PLACES)[number], string>> {
  const own = textOf(given[OWN[kind]]);
  const urls = own === undefined ? given : { ...given, DATABASE_URL: own };
  return Object.fromEntries(
    PLACES.flatMap((name) => {
      const url = textOf(urls[name]);
      return url === undefined ? [] : [[name, own === undefined ? url : withLogin(url, own)]];
    }),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** A text that is no URL stays as it is: the reader of the settings reports it. */
function withLogin(place: string, login: string): string {
  if (!URL.canParse(place) || !URL.canParse(login)) return place;
  const url = new URL(place);
  const { username, password, searchParams } = new URL(login);
  Object.assign(url, { username, password });
  for (const name of ["sslcert", "sslkey", "sslrootcert"]) {
    const file = searchParams.get(name);
    if (file !== null) url.searchParams.set(name, file);
  }
  return url.href;
}
