import { createReceiver } from "./receiver.mts";
import { setting } from "./settings.mts";

/** The receiver by itself: `node serve.mts`, until you stop it. */

const port = Number(process.env.PORT ?? 8080);
const receiver = createReceiver(setting("CALLBACK_SECRET"), async ({ event, id }) => {
  // Your work goes here.
  console.log(`${event}: ${id}`);
});
receiver.listen(port, "127.0.0.1", () => console.log(`Waiting at http://127.0.0.1:${port}/callbacks`));
