import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { register, startPlatform, tokensOf } from "./platform.js";

const dist = new URL("../dist/", import.meta.url);
const chromium = ["chromium", "chromium-browser", "google-chrome"].find(isInstalled);

test("the modules run in a browser as they are", { skip: chromium === undefined && "there is no Chromium" }, async () => {
  const platform = await startPlatform();
  const site = await serve(PAGE, platform.url);
  try {
    assert.deepEqual(await resultOf(site), { live: "from a browser", own: ["from a browser"], code: "not_found" });
  } finally {
    await site.close();
    await platform.stop();
  }
});

test("a page of an allowed origin uses the API, and another one cannot", { skip: chromium === undefined && "there is no Chromium" }, async () => {
  const allowed = await serve(APP);
  const other = await serve(APP);
  const platform = await startPlatform({ settings: { FEED_CORS_ORIGINS: allowed.origin } });
  try {
    const { id } = await (await register(platform.url, "app")).post("/v1/posts", { body: { text: "first" } });
    const settings = { url: platform.url, token: await tokensOf(platform.url, "app")(), post: id };
    allowed.settings = other.settings = settings;

    assert.deepEqual(await resultOf(allowed), {
      changed: "second",
      tag: "string",
      problem: "not_found",
      live: "from another origin",
    });
    assert.deepEqual(await resultOf(other), { failed: "TypeError" });
  } finally {
    await allowed.close();
    await other.close();
    await platform.stop();
  }
});

/** Serves a page and the modules, and at the same origin the API if there is one. */
async function serve(page, api) {
  const server = http.createServer((request, response) => answer(request, response).catch(() => response.destroy()));
  const site = {
    settings: {},
    server,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };

  async function answer(request, response) {
    if (request.url === "/") {
      response.writeHead(200, { "Content-Type": "text/html" }).end(page);
    } else if (request.url.startsWith("/client/")) {
      const module = await readFile(new URL(request.url.slice("/client/".length), dist));
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(module);
    } else if (request.url === "/settings") {
      response.end(JSON.stringify(site.settings));
    } else if (request.url === "/result") {
      const chunks = await request.toArray();
      response.end();
      server.emit("result", JSON.parse(Buffer.concat(chunks)));
    } else if (api === undefined) {
      response.writeHead(404).end();
    } else {
      const forward = http.request(api + request.url, { method: request.method, headers: request.headers });
      forward.on("response", (got) => got.pipe(response.writeHead(got.statusCode, got.headers)));
      forward.on("error", () => response.destroy());
      response.on("close", () => forward.destroy());
      request.pipe(forward);
    }
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  site.origin = `http://127.0.0.1:${server.address().port}`;
  return site;
}

/** Opens a site in a browser, and returns what its page found. */
async function resultOf(site) {
  const profile = await mkdtemp(join(tmpdir(), "feed-chromium-"));
  const result = once(site.server, "result", { signal: AbortSignal.timeout(60_000) });
  const options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--user-data-dir=${profile}`];
  const browser = spawn(chromium, [...options, `${site.origin}/`], { stdio: "ignore" });
  const exit = once(browser, "exit");
  try {
    return (await result)[0];
  } finally {
    browser.kill();
    await exit;
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}

const PAGE = `<!doctype html><script type="module">
  import { FeedClient, FeedProblem, newIdempotencyKey } from "/client/index.js";
  const found = {};
  try {
    const issuer = new FeedClient({ url: "/" });
    const token = async () => (await issuer.post("/v1/dev/tokens", { body: { user_id: "browser" } })).access_token;
    const feed = new FeedClient({ url: "/", token });
    await feed.post("/v1/users", { body: { handle: "browser", display_name: "Browser" } });
    const post = { body: { text: "from a browser" }, idempotencyKey: newIdempotencyKey() };
    for await (const event of feed.stream({ onConnection: ({ connected }) => connected && feed.post("/v1/posts", post) })) {
      found.live = event.data.text;
      break;
    }
    found.own = [];
    for await (const { text } of feed.items("/v1/users/{id}/posts", { path: { id: "browser" } })) found.own.push(text);
    await feed.get("/v1/posts/{id}", { path: { id: "missing" } });
  } catch (error) {
    found.code = error instanceof FeedProblem ? error.code : String(error);
  }
  await fetch("/result", { method: "POST", body: JSON.stringify(found) });
</script>`;

/** What an app of another origin needs of CORS: methods, headers in both directions, problems and streams. */
const APP = `<!doctype html><script type="module">
  import { FeedClient, FeedProblem, newIdempotencyKey } from "/client/index.js";
  const found = {};
  try {
    const { url, token, post } = await (await fetch("/settings")).json();
    const feed = new FeedClient({ url, token: async () => token, retries: 0 });
    found.changed = (await feed.patch("/v1/users/me", { body: { display_name: "second" } })).display_name;
    const read = await fetch(url + "/v1/posts/" + post, { headers: { Authorization: "Bearer " + token } });
    found.tag = typeof read.headers.get("ETag");
    found.problem = await feed.get("/v1/posts/{id}", { path: { id: "missing" } }).catch((e) => e instanceof FeedProblem && e.code);
    const another = { body: { text: "from another origin" }, idempotencyKey: newIdempotencyKey() };
    for await (const event of feed.stream({ onConnection: ({ connected }) => connected && feed.post("/v1/posts", another) })) {
      found.live = event.data.text;
      break;
    }
  } catch (error) {
    found.failed = error.name;
  }
  await fetch("/result", { method: "POST", body: JSON.stringify(found) });
</script>`;

function isInstalled(command) {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
