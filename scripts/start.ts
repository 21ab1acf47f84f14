/** `npm start` and `npm run dev`. Live mode loads nothing of the sandbox. */
import "#server/process/until-stopped.ts"; // first: it listens to signals while the rest loads

if (process.env.MODE === "live") {
  const { startLive } = await import("#server/process/start-live.ts");
  await startLive();
} else {
  const { startSandbox } = await import("#sandbox/start.ts");
  await startSandbox({ development: process.argv.includes("--dev") });
}
