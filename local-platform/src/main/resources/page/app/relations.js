// What an account does to another: follow, special follow, mute, block.
import {changed, announce} from '../store.js';
import {attempt, read} from '../api.js';

const known = new Map();
let onHidden = () => {};

/** Calls a function with the id of an account that was blocked or muted. */
export function watchHidden(watcher) {
  onHidden = watcher;
}

/** Forgets all relations, for another account. */
export function forget() {
  known.clear();
}

/** Returns the relation to an account as far as it is known, and reads it otherwise. */
export function relation(id) {
  if (!known.has(id)) {
    known.set(id, {id});
    refresh(id);
  }
  return known.get(id);
}

async function refresh(id) {
  try {
    const answer = await read(`/v1/relationships?ids=${encodeURIComponent(id)}`);
    known.set(id, answer.items[0]);
    changed();
  } catch {
    known.delete(id);
  }
}

const ROUTES = {
  follow: {path: 'follow', on: 'POST', field: 'following'},
  special: {path: 'special-follow', on: 'PUT', field: 'special'},
  mute: {path: 'mute', on: 'PUT', field: 'muting'},
  block: {path: 'block', on: 'PUT', field: 'blocking'},
};

/** Turns a relation on or off. */
export async function toggle(kind, account) {
  const {path, on, field} = ROUTES[kind];
  const isOn = Boolean(relation(account.id)[field]);
  if (!await attempt(isOn ? 'DELETE' : on, `/v1/users/${account.id}/${path}`)) return;
  known.set(account.id, {...relation(account.id), [field]: !isOn});
  refresh(account.id);
  if (!isOn && (kind === 'block' || kind === 'mute')) {
    onHidden(account.id, kind);
    announce(`${account.display_name} is ${kind === 'block' ? 'blocked' : 'muted'}.`);
  }
  changed();
}
