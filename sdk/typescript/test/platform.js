import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { FeedClient } from "../dist/index.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Starts `./feed up` on loopback, by default in memory and at free ports. */
export async function startPlatform({ settings = {}, data, port = 0 } = {}) {
  const storage = data === undefined ? ["--in-memory"] : ["--data", data];
  const ports = ["--port", port, "--dynamodb-port", 0, "--queue-port", 0];
  const child = spawn("./feed", ["up", ...storage, ...ports], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit");
  let log = "";
  const url = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      log += chunk;
      const found = /^ *API +(http\S+)\n/m.exec(log);
      if (found !== null) {
        resolve(found[1]);
      }
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    exit.then(([code]) => reject(new Error(`The platform ended with ${code}:\n${log}`)));
    setTimeout(() => reject(new Error(`The platform is not up after four minutes:\n${log}`)), 240_000).unref();
  }).catch((error) => {
    child.kill();
    throw error;
  });
  return {
    url,
    port: Number(new URL(url).port),
    /** Ends the process; with SIGKILL as a crash does. */
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await exit;
    },
    /** Waits until everything written so far has had its effects. */
    async drain() {
      const response = await fetch(`${url}/v1/dev/drain?patience_ms=30000`, { method: "POST" });
      if (response.status !== 200) {
        throw new Error(`Drained with ${response.status}`);
      }
    },
  };
}

/** Returns a function that supplies tokens of a user from the development issuer. */
export function tokensOf(url, userId) {
  const issuer = new FeedClient({ url });
  return async () => (await issuer.post("/v1/dev/tokens", { body: { user_id: userId } })).access_token;
}

/** Registers a user and returns its client. */
export async function register(url, userId, options = {}) {
  const client = new FeedClient({ url, token: tokensOf(url, userId), ...options });
  await client.post("/v1/users", { body: { handle: userId, display_name: userId } });
  return client;
}

/** Returns a `fetch` that records what it sent and received. */
export function recording(send = fetch) {
  const exchanges = [];
  const recorded = async (url, init) => {
    const exchange = { at: performance.now(), url: String(url), method: init.method, headers: new Headers(init.headers) };
    exchanges.push(exchange);
    const response = await send(url, init);
    exchange.status = response.status;
    return response;
  };
  return Object.assign(recorded, { exchanges });
}
