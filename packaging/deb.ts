import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { documentsOf } from "./contents.ts";
import { layOut, settle, sizeOf } from "./lay-out.ts";
import { settingsFiles } from "./settings.ts";

export type DebOptions = {
  /** The project's folder, built. */
  root: string;
  /** A folder to work in; it is emptied. */
  work: string;
  /** As dpkg writes versions. */
  version: string;
  /** When all files of it say they were changed: the same sources make the same bytes. */
  epochSeconds: number;
  /** The file's destination. */
  target: string;
  /** Changes the installation before it is packed: a test makes the next version so. */
  amend?: (installation: string) => void;
};

const SCRIPTS = ["postinst", "prerm", "postrm"];

/** Builds the package for Debian and its kin, and answers where it lies. */
export function buildDeb({ root, work, version, epochSeconds, target, amend }: DebOptions): string {
  const architecture = execFileSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).trim();
  const tree = join(work, "deb");
  const installation = join(tree, "usr", "lib", "settlement-service");
  layOut(root, installation);
  amend?.(installation);
  const put = (folder: string) => {
    mkdirSync(join(tree, folder), { recursive: true });
    return join(tree, folder);
  };
  copyFileSync(join(root, "packaging", "debian", "settlement-service"), join(put("usr/sbin"), "settlement-service"));
  cpSync(join(root, "packaging", "units"), put("lib/systemd/system"), { recursive: true });
  for (const [name, text] of settingsFiles(root)) writeFileSync(join(put("usr/share/settlement-service"), `${name}.env`), text);
  const doc = put("usr/share/doc/settlement-service");
  copyFileSync(join(root, "LICENSE"), join(doc, "copyright"));
  for (const path of documentsOf(root)) {
    mkdirSync(join(doc, dirname(path)), { recursive: true });
    copyFileSync(join(root, path), join(doc, path));
  }
  settle(tree, epochSeconds);

  const control = put("DEBIAN");
  const fill = { VERSION: version, ARCHITECTURE: architecture, SIZE: String(sizeOf(tree)) };
  const text = readFileSync(join(root, "packaging", "debian", "control"), "utf8");
  writeFileSync(
    join(control, "control"),
    text.replace(/@([A-Z]+)@/g, (_, name: string) => fill[name as keyof typeof fill]),
  );
  writeFileSync(join(control, "md5sums"), checksums(tree));
  for (const name of SCRIPTS) {
    const script = readFileSync(join(root, "packaging", "debian", name), "utf8");
    writeFileSync(join(control, name), script.replaceAll("@VERSION@", version));
  }
  settle(control, epochSeconds);
  for (const name of SCRIPTS) chmodSync(join(control, name), 0o755);
  settleTop(tree, epochSeconds);

  const file = join(target, `settlement-service_${version}_${architecture}.deb`);
  mkdirSync(target, { recursive: true });
  // One thread: how xz divides the work shows in the bytes.
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epochSeconds) };
  execFileSync("dpkg-deb", ["--root-owner-group", "-Zxz", "-z1", "--threads-max=1", "--build", tree, file], { env, stdio: "pipe" });
  rmSync(tree, { recursive: true, force: true });
  return file;
}

function settleTop(tree: string, seconds: number): void {
  execFileSync("touch", ["-d", `@${seconds}`, tree]);
}

/** As `dpkg --verify` reads them. */
function checksums(tree: string): string {
  const lines = (folder: string): string[] =>
    readdirSync(join(tree, folder), { withFileTypes: true })
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .flatMap((entry) => {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (path === "DEBIAN" || entry.isSymbolicLink()) return [];
        if (entry.isDirectory()) return lines(path);
        return [
          `${createHash("md5")
            .update(readFileSync(join(tree, path)))
            .digest("hex")}  ${path}`,
        ];
      });
  return `${lines("").join("\n")}\n`;
}
