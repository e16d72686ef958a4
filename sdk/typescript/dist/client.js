import { backOff, pause, unlessAborted } from "./pause.js";
import { FeedProblem } from "./problem.js";
import { FeedStream } from "./stream.js";
const FIRST_BACK_OFF = 250;
/**
 * A client of the API for one account.
 *
 * Methods reject with a {@link FeedProblem} when the API refuses a request, with the reason of the signal when it is
 * aborted, and with a `TypeError` for wrong arguments and, as `fetch` does, when there is no response.
 *
 * A request without a response, and one that was answered with 429 or 503, is repeated: after `Retry-After`, otherwise
 * after a growing time. `PATCH` and a `POST` without an idempotency key are not repeated.
 */
export class FeedClient {
    #url;
    #supplyToken;
    #retries;
    #retryTime;
    #fetch;
    #token;
    constructor({ url, token, retries = 3, retryTime = 30_000, fetch = globalThis.fetch }) {
        // A relative address is resolved now, so that a wrong one is not taken for a lost connection later.
        this.#url = new URL(url, globalThis.location?.href).href.replace(/\/+$/, "");
        this.#supplyToken = token;
        this.#retries = retries;
        this.#retryTime = retryTime;
        // Browsers refuse to call it as a method.
        this.#fetch = (input, init) => fetch(input, init);
    }
    get(path, ...[input]) {
        return this.#json("get", path, input);
    }
    post(path, ...[input]) {
        return this.#json("post", path, input);
    }
    put(path, ...[input]) {
        return this.#json("put", path, input);
    }
    patch(path, ...[input]) {
        return this.#json("patch", path, input);
    }
    delete(path, ...[input]) {
        return this.#json("delete", path, input);
    }
    /** Returns the pages of a list. Each page is requested when the loop asks for it. */
    async *pages(path, ...[input]) {
        let query = input?.query;
        for (;;) {
            const page = await this.#json("get", path, { ...input, query });
            yield page;
            if (page.next_cursor === undefined) {
                return;
            }
            query = { ...query, cursor: page.next_cursor };
        }
    }
    /** Returns the items of a list, page after page. `limit` is the size of a page. */
    async *items(path, ...input) {
        for await (const page of this.pages(path, ...input)) {
            yield* page.items;
        }
    }
    /** Returns the caller's new feed entries and notifications, as they appear. */
    stream(options = {}) {
        return new FeedStream((headers, signal) => this.#attempt(this.#build("get", "/v1/stream", { headers, signal }), undefined), options);
    }
    /** Sends any request, for example that of an export, and returns the successful response. */
    send(method, path, input = {}) {
        return this.#request(method, path, input, (response) => Promise.resolve(response));
    }
    /** Its results have the types of the OpenAPI document, which nothing checks at run time. */
    #json(method, path, input) {
        return this.#request(method, path, input, async (response) => {
            const text = await response.text();
            return text === "" ? undefined : JSON.parse(text);
        });
    }
    async #request(method, path, input, read) {
        const request = this.#build(method, path, input ?? {});
        const isRepeatable = method === "post" ? request.headers.has("Idempotency-Key") : method !== "patch";
        const deadline = Date.now() + this.#retryTime;
        for (let failures = 0;; failures++) {
            try {
                return await unlessAborted(this.#attempt(request, input?.onExchange).then(read), request.signal);
            }
            catch (error) {
                const wait = isRepeatable && failures < this.#retries ? waitAfter(error, failures) : undefined;
                if (wait === undefined || Date.now() + wait > deadline || input?.signal?.aborted) {
                    throw error;
                }
                await pause(wait, input?.signal);
            }
        }
    }
    #build(method, path, { path: values = {}, query = {}, body, headers, ...rest }) {
        if (!path.startsWith("/")) {
            // Behind the address of the API, such a path could name another host, which would get the token.
            throw new TypeError(`The path must begin with /, not ${JSON.stringify(path)}`);
        }
        const url = new URL(this.#url + path.replace(/\{(\w+)\}/g, (_, name) => segment(name, values[name])));
        for (const [name, value] of Object.entries(query)) {
            if (value !== undefined) {
                url.searchParams.set(name, String(value));
            }
        }
        const all = new Headers(headers);
        if (body !== undefined) {
            all.set("Content-Type", "application/json");
        }
        if (rest.idempotencyKey !== undefined) {
            all.set("Idempotency-Key", rest.idempotencyKey);
        }
        const text = body === undefined ? null : JSON.stringify(body);
        return { url, method: method.toUpperCase(), headers: all, body: text, signal: rest.signal ?? null };
    }
    /** Sends a request once, and again with a new token where the API refuses the token: then it has had no effect. */
    async #attempt(request, onExchange) {
        const used = this.#supply();
        let response = await this.#exchange(await authorized(request, used), onExchange);
        if (response.status === 401 && used !== undefined) {
            // A copy of the response that is not read would let this wait without end.
            response.body?.cancel().catch(() => { });
            if (this.#token === used) {
                this.#token = undefined;
            }
            response = await this.#exchange(await authorized(request, this.#supply()), onExchange);
        }
        if (!response.ok) {
            throw await FeedProblem.of(response);
        }
        return response;
    }
    async #exchange({ url, ...init }, onExchange) {
        const began = performance.now();
        const response = await this.#fetch(url, init);
        onExchange?.({ url, method: init.method, headers: init.headers, body: init.body, response, milliseconds: performance.now() - began });
        return response;
    }
    /** Returns the current token. Concurrent requests wait for the same one. */
    #supply() {
        if (this.#token === undefined && this.#supplyToken !== undefined) {
            const token = Promise.resolve().then(this.#supplyToken);
            this.#token = token;
            token.catch(() => {
                if (this.#token === token) {
                    this.#token = undefined;
                }
            });
        }
        return this.#token;
    }
}
/** Returns a new random key for a `POST`. Make one for each action of a user, and keep it as long as the action is tried. */
export function newIdempotencyKey() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
async function authorized(request, token) {
    const headers = new Headers(request.headers);
    if (token !== undefined) {
        headers.set("Authorization", `Bearer ${await token}`);
    }
    return { ...request, headers };
}
/** Returns the milliseconds after which a failed request may be repeated, or undefined if it would fail again. */
function waitAfter(error, failures) {
    if (error instanceof FeedProblem) {
        const isTransient = error.status === 429 || error.status === 503;
        return isTransient ? (error.retryAfter ?? backOff(failures, FIRST_BACK_OFF) / 1000) * 1000 : undefined;
    }
    // This is how fetch reports that there was no response, or only a part of it.
    return error instanceof TypeError ? backOff(failures, FIRST_BACK_OFF) : undefined;
}
/** Returns a value as one segment of a path. A dot segment would become another path. */
function segment(name, value) {
    if (value === undefined || /^\.{0,2}$/.test(value)) {
        throw new TypeError(`The path needs a value for {${name}}, not ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
}
