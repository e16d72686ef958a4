// The stream of events: new posts and notifications of the present account, without a gap.
import {state, changed, announce} from './store.js';
import {client} from './api.js';

const BEFORE_ANOTHER = 8_000;

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

async function run(user, receivers, signal) {
  const {event, resync} = receivers;
  const stream = client(user).stream({signal, onConnection({connected, error}) {
    if (!connected) {
      // A stream that ends in order, such as with its token, is open again at once.
      if (error) show('lost');
      return;
    }
    if (state.connection === 'lost') announce('Connected again.');
    // Without an id the server begins with now, and what the page shows was read before.
    if (!stream.lastEventId) resync();
    show('live');
  }});
  try {
    for await (const {type, data} of stream) {
      if (type === 'resync') resync(); else event(type, data);
    }
  } catch {
    if (signal.aborted) return;
    // The API refused it for good, such as for an account that is gone.
    show('lost');
    setTimeout(() => { if (!signal.aborted) run(user, receivers, signal); }, BEFORE_ANOTHER);
  }
}

function show(connection) {
  if (state.connection === connection) return;
  state.connection = connection;
  changed();
}
