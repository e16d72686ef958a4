// The state of the page, and the one place that renders it again after a change.

export const state = {
  accounts: [],
  areAccountsKnown: false,
  /** The id of the account that the page acts as; null until one exists. */
  me: null,
  route: {room: 'home', parts: []},
  unread: 0,
  /** connecting, live or lost */
  connection: 'connecting',
  message: '',
};

let draw = () => {};
let isDue = false;

/** Sets the function that renders the page. */
export function drawWith(render) {
  draw = render;
}

/** Renders the page once, after all changes of this turn. */
export function changed() {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    draw();
  });
}

/** Shows a sentence for a while, which screen readers announce. */
export function announce(message) {
  state.message = message;
  changed();
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => {
    state.message = '';
    changed();
  }, 6000);
}

export function account(id) {
  return state.accounts.find(each => each.id === id);
}
