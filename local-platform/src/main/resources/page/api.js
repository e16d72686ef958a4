// Calls of the API as an account. The page uses the public API, and routes below /v1/dev for tokens and for what it shows
// of the platform itself.
import {state, changed, announce} from './store.js';

const KEPT = 30;
const tokens = new Map();

/** The exchanges of this page, newest first, as the browser saw them. */
export const exchanges = [];

let onAction = () => {};

/** Calls a function with each exchange that a user caused. */
export function watchActions(watcher) {
  onAction = watcher;
}

/** A problem document of the API, or a lost connection. */
export class Problem extends Error {
  constructor(status, body) {
    super(body?.detail || body?.title || 'The platform does not answer.');
    this.status = status;
    this.code = body?.code ?? 'no_answer';
  }
}

export async function token(user) {
  if (!tokens.has(user)) {
    const response = await send('POST', '/v1/dev/tokens', {'Content-Type': 'application/json'}, JSON.stringify({user_id: user}));
    const body = await response.json();
    if (!response.ok) throw new Problem(response.status, body);
    tokens.set(user, body.access_token);
  }
  return tokens.get(user);
}

/** Reads as the present account, without showing the exchange. */
export function read(path) {
  return call('GET', path, {isQuiet: true});
}

/**
 * Sends a request as the present account and returns its body. What the user caused is shown in the X-ray.
 *
 * @throws Problem
 */
export async function call(method, path, {body, headers = {}, isQuiet = false, as = state.me, onExchange} = {}) {
  const sent = {Authorization: `Bearer ${await token(as)}`, ...headers};
  if (body !== undefined) sent['Content-Type'] = 'application/json';
  const text = body === undefined ? undefined : JSON.stringify(body);
  const begin = performance.now();
  let response = await send(method, path, sent, text);
  if (response.status === 401) {
    tokens.delete(as);
    sent.Authorization = `Bearer ${await token(as)}`;
    response = await send(method, path, sent, text);
  }
  const received = await response.text();
  if (!isQuiet) {
    const exchange = note(method, path, sent, text, response, received, performance.now() - begin, as);
    onExchange?.(exchange);
  }
  const parsed = received ? JSON.parse(received) : null;
  if (!response.ok) throw new Problem(response.status, parsed);
  return parsed;
}

/** Like call, for what has no place for an error: it is announced. */
export async function attempt(method, path, options) {
  try {
    await call(method, path, options);
    return true;
  } catch (problem) {
    announce(problem.message);
    return false;
  }
}

/** Calls the interface of the local platform, which needs no token. */
export async function local(method, path) {
  const response = await send(method, `/v1/dev/${path}`, {});
  const text = await response.text();
  const body = text ? JSON.parse(text) : null;
  if (!response.ok) throw new Problem(response.status, body);
  return body;
}

async function send(method, path, headers, body) {
  try {
    return await fetch(path, {method, headers, body, cache: 'no-store'});
  } catch {
    throw new Problem(0, null);
  }
}

function note(method, path, sent, text, response, received, millis, as) {
  const shown = {...sent, Authorization: 'Bearer … (development token of ' + as + ')'};
  const exchange = {
    id: response.headers.get('X-Request-Id'),
    method, path, as, millis,
    status: response.status,
    sent: Object.entries(shown),
    body: text ?? '',
    received: [...response.headers],
    answer: received,
  };
  exchanges.unshift(exchange);
  exchanges.splice(KEPT);
  onAction(exchange);
  changed();
  return exchange;
}

/** A list of the API that is read page by page. */
export class Pages {
  constructor(path, {limit = 20, isQuiet = false} = {}) {
    this.path = path;
    this.limit = limit;
    this.isQuiet = isQuiet;
    this.items = [];
    this.cursor = null;
    this.state = 'loading';
    this.problem = null;
  }

  /** Reads the first page. Items that arrived meanwhile stay. */
  async load() {
    await this.#read(null, page => {
      const known = new Set(page.items.map(item => item.id ?? item.tag));
      const isNewer = item => item.arrived && !known.has(item.id);
      this.items = [...this.items.filter(isNewer), ...page.items];
    });
    return this;
  }

  async more() {
    const cursor = this.cursor;
    await this.#read(cursor, page => {
      const known = new Set(this.items.map(item => item.id));
      this.items = [...this.items, ...page.items.filter(item => !known.has(item.id))];
    });
  }

  async #read(cursor, add) {
    this.state = 'loading';
    changed();
    const mark = this.path.includes('?') ? '&' : '?';
    const from = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    try {
      const page = await call('GET', `${this.path}${mark}limit=${this.limit}${from}`, {isQuiet: this.isQuiet});
      add(page);
      this.cursor = page.next_cursor ?? null;
      this.state = 'ready';
      this.problem = null;
    } catch (problem) {
      this.state = 'error';
      this.problem = problem;
    }
    changed();
  }
}
