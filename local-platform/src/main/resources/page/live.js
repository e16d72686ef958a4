// The stream of events: new posts and notifications of the present account, without a gap.
import {state, changed, announce} from './store.js';
import {token} from './api.js';

/** The server sends something at least every fifteen seconds. */
const SILENCE = 40_000;
const LONGEST_PAUSE = 8_000;

let stop = () => {};

// A page that the browser keeps for its back button would keep its connection, of which a server gets six.
addEventListener('pagehide', () => stop());
addEventListener('pageshow', event => { if (event.persisted) location.reload(); });

/** Follows the stream of an account until the next call. */
export function follow(user, receivers) {
  stop();
  const abort = new AbortController();
  stop = () => abort.abort();
  run(user, receivers, abort.signal);
}

async function run(user, {event, resync}, signal) {
  let lastId = null;
  let pause = 500;
  let wasOpen = false;
  while (!signal.aborted) {
    try {
      const headers = {Authorization: `Bearer ${await token(user)}`, ...(lastId ? {'Last-Event-ID': lastId} : {})};
      const response = await open(headers, AbortSignal.any([signal, whenOffline(signal)]));
      if (state.connection === 'lost') announce('Connected again.');
      // Without an id the server cannot know what was missed.
      if (wasOpen && !lastId) resync();
      wasOpen = true;
      pause = 500;
      connection('live');
      for await (const block of blocks(response.body)) {
        lastId = block.id ?? lastId;
        if (block.event === 'resync') resync();
        else if (block.data) event(block.event, JSON.parse(block.data));
      }
    } catch {
      if (signal.aborted) return;
      connection('lost');
    }
    await new Promise(done => setTimeout(done, pause));
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
}

/** A connection that is gone may seem open for minutes. */
function whenOffline(until) {
  const abort = new AbortController();
  addEventListener('offline', () => abort.abort(), {signal: until, once: true});
  return abort.signal;
}

async function open(headers, signal) {
  const response = await fetch('/v1/stream', {headers, signal, cache: 'no-store'});
  if (!response.ok) throw new Error(response.status);
  return response;
}

function connection(now) {
  if (state.connection === now) return;
  state.connection = now;
  changed();
}

/** The blocks of server-sent events in a body. Throws when it is silent for too long. */
async function* blocks(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    while (true) {
      const {done, value} = await within(reader.read());
      if (done) return;
      text += value;
      const parts = text.split('\n\n');
      text = parts.pop();
      for (const part of parts) yield fields(part);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function within(reading) {
  let timer;
  const silence = new Promise((_, fail) => { timer = setTimeout(() => fail(new Error('silent')), SILENCE); });
  return Promise.race([reading, silence]).finally(() => clearTimeout(timer));
}

function fields(block) {
  const found = {};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) found[line.slice(0, colon)] = line.slice(colon + 2);
  }
  return found;
}
