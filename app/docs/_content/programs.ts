import type { Site } from "../_parts/site.ts";
import bashCall from "../_samples/parts/call.sh?raw";
import pythonListen from "../_samples/parts/listen.py?raw";
import bashListen from "../_samples/parts/listen.sh?raw";
import bashVerify from "../_samples/parts/verify.sh?raw";

/** Programs that the pages show in steps, one in each language. The stories run what the pages serve. */

/** `language`: its name in Markdown. `run`: what starts the file. */
export type Sample = { name: string; language: string; file: string; text: string; needs: string; run: string };

/** `printed`: what every program prints, a text for each step; ids, amounts and instants are from one run. */
export type Program = { samples: readonly Sample[]; printed: readonly string[] };

/** `keyHeader`: the header that carries the API key on the program's surface. */
export function inBash(name: string, text: string, keyHeader: string): Sample {
  const file = `${name}.sh`;
  const parts = { call: bashCall.replace("KEY_HEADER", keyHeader), listen: bashListen, verify: bashVerify };
  return {
    name: "cURL",
    language: "bash",
    file,
    text: withParts(text, parts),
    needs: "bash, curl, openssl, and Node in place of your web server",
    run: `bash ${file}`,
  };
}

export function inTypeScript(name: string, text: string): Sample {
  const file = `${name}.mts`;
  return {
    name: "TypeScript",
    language: "ts",
    file,
    text,
    needs: `settlement-sdk, and Node 22.18 or newer (on an older one: npx node@22 ${file})`,
    run: `npm install --prefix . "$SDK"/settlement-sdk-*.tgz\nnode ${file}`,
  };
}

export function inPython(name: string, text: string): Sample {
  const file = `${name}.py`;
  return {
    name: "Python",
    language: "python",
    file,
    text: withParts(text, { listen: pythonListen }),
    needs: "Python 3.9 or newer and settlement_sdk",
    run: `python3 -m venv .venv\n.venv/bin/pip install "$SDK"/settlement_sdk-*.whl\n.venv/bin/python ${file}`,
  };
}

export function inGo(name: string, text: string): Sample {
  return { name: "Go", language: "go", file: `${name}.go`, text, needs: "Go 1.19 or newer", run: `go run ${name}.go` };
}

export function inPhp(name: string, text: string): Sample {
  return { name: "PHP", language: "php", file: `${name}.php`, text, needs: "PHP 8.0 or newer", run: `php ${name}.php` };
}

/** With the SDK for Go. */
export function inGoWithSdk(name: string, text: string): Sample {
  const module = "settlement.example/go/settlement";
  const run = `unzip -qo "$SDK"/settlement-sdk-go-*.zip
go mod init example
go mod edit -require ${module}@v0.0.0 -replace ${module}=./$(ls -d settlement-sdk-go-*)
go run ${name}.go`;
  return { name: "Go", language: "go", file: `${name}.go`, text, needs: "settlement-sdk for Go, and Go 1.19 or newer", run };
}

/** With the SDK for PHP. */
export function inPhpWithSdk(name: string, text: string): Sample {
  const needs = "settlement-sdk for PHP, and PHP 8.2 or newer with curl and sodium";
  return {
    name: "PHP",
    language: "php",
    file: `${name}.php`,
    text,
    needs,
    run: `unzip -qo "$SDK"/settlement-sdk-php-*.zip\nphp ${name}.php`,
  };
}

/** The program with the parts that it shares with others in place of its lines `# <part NAME>`. */
function withParts(text: string, parts: Record<string, string>): string {
  return text.replace(/^# <part (\w+)>\n/gm, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`There is no part ${name}.`);
    return part;
  });
}

const STEP = /^[\t ]*(?:#|\/\/) --- \d\. .*$/m;

/** The program's parts, one per step; what comes before the first step belongs to it. */
export function stepsOf({ text }: Pick<Sample, "text">): string[] {
  const [before = "", ...steps] = text.split(STEP);
  return steps.map((step, index) => outdent(`${index === 0 ? before : ""}${step}`));
}

/** With this installation's header names, and a chain and a token that it has. */
export function asServed(text: string, { headers, example }: Pick<Site, "headers" | "example">): string {
  return text
    .replaceAll("X-Service-", headers.nonce.replace(/Nonce$/, ""))
    .replaceAll("eip155:31337", example.chain)
    .replaceAll('"USDT"', `"${example.currency}"`)
    .replaceAll("'USDT'", `'${example.currency}'`);
}

/** Without the indentation that all lines share. */
function outdent(text: string): string {
  const lines = text.replace(/^\n+|\s+$/g, "").split("\n");
  const depths = lines.filter((line) => line.trim() !== "").map((line) => /^\t*/.exec(line)?.[0].length ?? 0);
  const shared = Math.min(...depths);
  return lines.map((line) => line.slice(shared)).join("\n");
}
