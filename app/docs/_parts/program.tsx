import { asServed, type Program, stepsOf } from "../_content/programs.ts";
import keys from "../_samples/keys.sh?raw";
import { Code } from "./blocks.tsx";
import type { Site } from "./site.ts";
import { Tabs } from "./tabs.tsx";

/** Where the programs' environment variables and the SDKs come from. `sdks`: the languages whose samples use an SDK. */
export function Keys({ site, sdks = "TypeScript and Python" }: { site: Site; sdks?: string }) {
  return (
    <>
      {site.sandbox ? (
        <>
          <p>
            No sandbox yet? <code>npm start</code> in the service’s folder starts one. It wrote a partner’s keys to{" "}
            <code>.data/sandbox.json</code>, or to its <code>DATA_DIR</code> if you set one. In the folder where it runs:
          </p>
          <Code label="Take them from the sandbox" language="bash" text={keys.trimEnd()} />
        </>
      ) : (
        <p>
          Set <code>SETTLEMENT_URL</code> to <code>{site.baseUrl}</code>, and <code>API_KEY</code>, <code>API_SECRET</code> and{" "}
          <code>CALLBACK_SECRET</code> to the values that you got.
        </p>
      )}
      <p>
        The {sdks} samples use the SDKs, which sign, retry safely and verify callbacks, without dependencies.{" "}
        {site.sandbox ? "Pack the SDKs in the sandbox’s folder:" : "You get the SDKs from us, as files; SDK is the folder with them."}
      </p>
      {site.sandbox ? <Code label="Pack the SDKs" language="bash" text={"npm run build:sdk\nexport SDK=$PWD/sdk/dist"} /> : null}
    </>
  );
}

/** The program as a file, and the command that runs it, in each language. */
export function RunIt({ program: { samples }, label }: { program: Program; label: string }) {
  return (
    <Tabs label={`Programming language of ${label}`} names={samples.map(({ name }) => name)}>
      {samples.map(({ name, file, needs, run }) => (
        <div key={name}>
          <p>
            <a href={`/docs/samples/${file}`}>{file}</a> needs {needs}.
          </p>
          <Code label={`Run ${label}: ${name}`} language="bash" text={`curl -sSO "$SETTLEMENT_URL/docs/samples/${file}"\n${run}`} />
        </div>
      ))}
    </Tabs>
  );
}

type StepProps = { program: Program; number: 1 | 2 | 3 | 4 | 5; site: Site; title: string };

/** One step of the program in each language, and its output. */
export function Step({ program: { samples, printed }, number, site, title }: StepProps) {
  return (
    <>
      <Tabs label={`Programming language of: ${title.toLowerCase()}`} names={samples.map(({ name }) => name)}>
        {samples.map((sample) => (
          <Code
            key={sample.name}
            label={`${sample.name}: ${title.toLowerCase()}`}
            language={sample.language}
            text={asServed(stepsOf(sample)[number - 1] ?? "", site)}
          />
        ))}
      </Tabs>
      <Code label={`What step ${number} prints`} language="text" text={printed[number - 1] ?? ""} />
    </>
  );
}
