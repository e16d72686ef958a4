import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { FeedClient, FeedProblem, newIdempotencyKey } from "../dist/index.js";
import { recording, register, startPlatform, tokensOf } from "./platform.js";

describe("a client of a platform", () => {
  let platform;
  let alice;

  before(async () => {
    platform = await startPlatform({ settings: { FEED_EXPORT_AGAIN_AFTER: "1h" } });
    alice = await register(platform.url, "alice");
  });
  after(() => platform.stop());

  test("sends a path, a query and a body, and returns the answer", async () => {
    const post = await alice.post("/v1/posts", { body: { text: "Hello #client" } });
    assert.equal((await alice.get("/v1/posts/{id}", { path: { id: post.id } })).text, "Hello #client");
    assert.equal((await alice.patch("/v1/users/me", { body: { bio: "one" } })).bio, "one");
    assert.equal(await alice.delete("/v1/posts/{id}", { path: { id: post.id } }), undefined);
  });

  test("returns the items of all pages, and requests a page only when it is needed", async () => {
    const texts = Array.from({ length: 7 }, (_, number) => `page ${number}`);
    const writer = await register(platform.url, "pages");
    for (const text of texts) {
      await writer.post("/v1/posts", { body: { text } });
    }
    const sent = recording();
    const reader = new FeedClient({ url: platform.url, token: tokensOf(platform.url, "alice"), fetch: sent });
    const input = { path: { id: "pages" }, query: { limit: 3 } };

    const all = [];
    for await (const post of reader.items("/v1/users/{id}/posts", input)) {
      all.push(post.text);
    }
    assert.deepEqual(all, texts.toReversed());
    assert.equal(sent.exchanges.length, 3);

    sent.exchanges.length = 0;
    for await (const page of reader.pages("/v1/users/{id}/posts", input)) {
      assert.equal(page.items.length, 3);
      break;
    }
    assert.equal(sent.exchanges.length, 1);
  });

  test("throws a problem with its code and the wrong fields", async () => {
    const wrong = alice.post("/v1/users", { body: { handle: "a b", display_name: "" } });
    const problem = await wrong.catch((error) => error);
    assert.ok(problem instanceof FeedProblem);
    assert.ok(problem instanceof Error);
    assert.equal(problem.status, 422);
    assert.equal(problem.code, "invalid_content");
    assert.deepEqual(problem.errors.map((error) => error.field), ["display_name", "handle"]);
    assert.match(problem.requestId, /^\S{8,}$/);
    assert.match(problem.message, /^422 invalid_content: /);
    await assert.rejects(alice.get("/v1/posts/{id}", { path: { id: "no/such" } }), { status: 400 });
    await assert.rejects(alice.get("/v1/feed", { query: { cursor: "wrong" } }), { code: "invalid_cursor" });
    await assert.rejects(new FeedClient({ url: platform.url }).get("/v1/feed"), { code: "unauthenticated" });
  });

  test("reports each exchange of a call, and its answer stays readable", async () => {
    const valid = tokensOf(platform.url, "alice");
    const answers = ["expired", await valid()];
    const client = new FeedClient({ url: platform.url, token: () => answers.shift() });
    const exchanges = [];
    const copies = [];
    const onExchange = (exchange) => {
      exchanges.push(exchange);
      copies.push(exchange.response.clone().json());
    };
    const post = await client.post("/v1/posts", { body: { text: "reported" }, onExchange });

    assert.deepEqual(exchanges.map(({ response }) => response.status), [401, 201]);
    const [, { url, method, headers, body, response, milliseconds }] = exchanges;
    assert.equal(String(url), `${platform.url}/v1/posts`);
    assert.equal(method, "POST");
    assert.equal(headers.get("Content-Type"), "application/json");
    assert.match(headers.get("Authorization"), /^Bearer \S{20,}$/);
    assert.deepEqual(JSON.parse(body), { text: "reported" });
    assert.match(response.headers.get("X-Request-Id"), /^\S{8,}$/);
    assert.ok(milliseconds > 0);
    assert.deepEqual(await copies[1], post);

    exchanges.length = 0;
    await assert.rejects(client.get("/v1/posts/{id}", { path: { id: "missing" }, onExchange }), { code: "not_found" });
    for await (const _ of client.items("/v1/feed", { query: { limit: 1 }, onExchange })) break;
    await client.get("/v1/users/me");
    assert.deepEqual(exchanges.map((exchange) => exchange.url.pathname), ["/v1/posts/missing", "/v1/feed"]);
  });

  test("gets a new token while a copy of the refusal is not read", async () => {
    const valid = tokensOf(platform.url, "alice");
    const answers = ["expired", await valid()];
    const client = new FeedClient({ url: platform.url, token: () => answers.shift() });
    const copies = [];
    const onExchange = ({ response }) => copies.push(response.clone());
    const me = await client.get("/v1/users/me", { onExchange });
    assert.equal(me.id, "alice");
    assert.equal((await copies[0].json()).code, "unauthenticated");
  });

  test("refuses wrong arguments before it sends anything", async () => {
    const sent = recording();
    const client = new FeedClient({ url: platform.url, fetch: sent });
    for (const id of [undefined, "", ".", ".."]) {
      await assert.rejects(client.get("/v1/users/{id}", { path: { id } }), TypeError);
    }
    await assert.rejects(client.get("/v1/users/{id}"), /needs a value for \{id\}/);
    await assert.rejects(client.post("/v1/posts", { body: { text: "a" }, idempotencyKey: "a\nb" }), TypeError);
    await assert.rejects(client.send("get", "@127.0.0.2/v1/feed"), /must begin with \//);
    assert.throws(() => new FeedClient({ url: "/" }), TypeError);
    assert.equal(sent.exchanges.length, 0);
  });

  test("asks for a token once, and once again after a 401, also for concurrent requests", async () => {
    const valid = tokensOf(platform.url, "alice");
    const answers = ["expired", await valid()];
    let calls = 0;
    const client = new FeedClient({ url: platform.url, token: () => answers[calls++] });
    await Promise.all([client.get("/v1/users/me"), client.get("/v1/feed"), client.get("/v1/notifications")]);
    await client.post("/v1/posts", { body: { text: "with the second token" } });
    assert.equal(calls, 2);
  });

  test("throws the second 401", async () => {
    let calls = 0;
    const sent = recording();
    const client = new FeedClient({ url: platform.url, fetch: sent, token: () => `expired ${calls++}` });
    await assert.rejects(client.get("/v1/users/me"), { code: "unauthenticated" });
    assert.equal(calls, 2);
    assert.equal(sent.exchanges.length, 2);
  });

  test("throws what the token function throws, and calls it again for the next request", async () => {
    const valid = tokensOf(platform.url, "alice");
    let calls = 0;
    const client = new FeedClient({
      url: platform.url,
      token: () => {
        if (calls++ === 0) {
          throw new Error("logged out");
        }
        return valid();
      },
    });
    await assert.rejects(client.get("/v1/users/me"), /logged out/);
    assert.equal((await client.get("/v1/users/me")).id, "alice");
  });

  test("repeats a request whose answer was lost, with its key, and has one effect", async () => {
    const losing = recording(loses(2));
    const writer = await register(platform.url, "losing");
    const client = new FeedClient({ url: platform.url, token: tokensOf(platform.url, "losing"), fetch: losing });
    const idempotencyKey = newIdempotencyKey();
    const post = await client.post("/v1/posts", { body: { text: "once" }, idempotencyKey });
    assert.deepEqual(losing.exchanges.map((exchange) => exchange.headers.get("Idempotency-Key")), Array(3).fill(idempotencyKey));
    assert.deepEqual(await idsOf(writer, "losing"), [post.id]);
    await assert.rejects(client.post("/v1/posts", { body: { text: "another" }, idempotencyKey }), {
      code: "idempotency_key_reused",
    });
  });

  test("never repeats a POST without a key, nor a PATCH", async () => {
    for (const call of [
      (client) => client.post("/v1/posts", { body: { text: "once" } }),
      (client) => client.patch("/v1/users/me", { body: { bio: "once" } }),
    ]) {
      const losing = recording(loses(1));
      const client = new FeedClient({ url: platform.url, token: tokensOf(platform.url, "alice"), fetch: losing });
      await assert.rejects(call(client), TypeError);
      assert.equal(losing.exchanges.length, 1);
    }
  });

  test("stops to repeat after a number of times", async () => {
    const losing = recording(loses(100));
    const client = new FeedClient({ url: platform.url, token: tokensOf(platform.url, "alice"), fetch: losing, retries: 2 });
    await assert.rejects(client.get("/v1/users/me"), TypeError);
    assert.equal(losing.exchanges.length, 3);
  });

  test("aborts a request, and a wait before a repetition", async () => {
    const reason = new Error("left the page");
    await assert.rejects(alice.get("/v1/feed", { signal: AbortSignal.abort(reason) }), (error) => error === reason);

    const leaving = new AbortController();
    const losing = recording((...request) =>
      loses(1)(...request).finally(() => setTimeout(() => leaving.abort(reason), 20)),
    );
    const client = new FeedClient({ url: platform.url, token: tokensOf(platform.url, "alice"), fetch: losing });
    await assert.rejects(client.get("/v1/feed", { signal: leaving.signal }), (error) => error === reason);
    assert.equal(losing.exchanges.length, 1);
  });

  test("aborts a list between two pages", async () => {
    const leaving = new AbortController();
    const query = { limit: 1 };
    const read = async () => {
      for await (const _ of alice.items("/v1/users/{id}/posts", { path: { id: "pages" }, query, signal: leaving.signal })) {
        leaving.abort();
      }
    };
    await assert.rejects(read(), { name: "AbortError" });
  });

  test("returns the response of an export as it is", async () => {
    const response = await alice.send("get", "/v1/users/me/export");
    const lines = (await response.text()).trim().split(/\n+/).map((line) => JSON.parse(line));
    assert.deepEqual(lines.at(-1), { kind: "end", lines: lines.length - 1 });
    // The API answers 429 with an hour, which is longer than a client waits.
    await assert.rejects(alice.send("get", "/v1/users/me/export"), { code: "too_many_exports" });
  });

  test("makes a problem of a response that has none", async () => {
    const gateway = async () => new Response("<h1>Bad gateway</h1>", { status: 502, statusText: "Bad Gateway" });
    const client = new FeedClient({ url: platform.url, fetch: gateway });
    await assert.rejects(client.get("/v1/feed"), { status: 502, code: "unknown", title: "Bad Gateway" });
  });
});

describe("a client of a platform with low limits", () => {
  let platform;

  before(async () => {
    platform = await startPlatform({
      settings: { FEED_LIMITS_RATE_PER_SECOND: "1", FEED_LIMITS_RATE_BURST: "2" },
    });
  });
  after(() => platform.stop());

  test("sends a request again after Retry-After", async () => {
    const sent = recording();
    const client = await register(platform.url, "patient", { fetch: sent });
    for (let number = 0; number < 4; number++) {
      await client.get("/v1/users/me");
    }
    const refused = sent.exchanges.filter((exchange) => exchange.status === 429);
    assert.ok(refused.length > 0, "The limit was not reached");
    for (const exchange of refused) {
      const next = sent.exchanges[sent.exchanges.indexOf(exchange) + 1];
      assert.equal(next.url, exchange.url);
      assert.ok(next.at - exchange.at >= 990, `Repeated after ${next.at - exchange.at} ms`);
    }
  });

  test("throws the 429 of a POST without a key at once", async () => {
    const sent = recording();
    const client = await register(platform.url, "direct", { fetch: sent });
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, (_, number) => client.post("/v1/posts", { body: { text: `direct ${number}` } })),
    );
    const refused = results.filter((result) => result.status === "rejected");
    assert.ok(refused.length > 0, "The limit was not reached");
    assert.ok(refused.every(({ reason }) => reason.code === "rate_limited" && reason.retryAfter >= 1));
    assert.equal(sent.exchanges.length, 1 + results.length);
  });

  test("does not wait for a time that is over its bound", async () => {
    const sent = recording();
    const client = await register(platform.url, "follower", { retryTime: 500, fetch: sent });
    await client.get("/v1/users/me");
    const results = await Promise.allSettled(Array.from({ length: 3 }, () => client.get("/v1/users/me")));
    assert.ok(results.some((result) => result.reason?.code === "rate_limited"));
    assert.equal(sent.exchanges.length, 2 + results.length);
  });
});

async function idsOf(client, id) {
  const ids = [];
  for await (const post of client.items("/v1/users/{id}/posts", { path: { id } })) {
    ids.push(post.id);
  }
  return ids;
}

/** Returns a `fetch` whose first answers are lost behind the API. */
function loses(answers) {
  let lost = 0;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (lost++ < answers) {
      await response.body?.cancel();
      throw new TypeError("fetch failed");
    }
    return response;
  };
}
