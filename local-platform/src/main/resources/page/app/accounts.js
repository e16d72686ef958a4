// Which account the page acts as, and the form that creates one.
import {html, nothing} from '../lit.js';
import {state, changed} from '../store.js';
import {call, local, reason} from '../api.js';

const KEPT = 'feed.acting-as';
const CREATE = '';
const form = {isOpen: false, problem: ''};

/** Reads the accounts of the platform. */
export async function loadAccounts() {
  const {items} = await local('GET', 'accounts');
  const mine = state.accounts.find(each => each.id === state.me);
  // The newest accounts only: this one may no longer be among them.
  state.accounts = mine && !items.some(each => each.id === mine.id) ? [...items, mine] : items;
  state.areAccountsKnown = true;
  changed();
}

/** The account of this tab before a reload, or the first one. */
export function startingAccount() {
  const before = new URLSearchParams(location.search).get('as') ?? sessionStorage.getItem(KEPT);
  return state.accounts.some(each => each.id === before) ? before : state.accounts[0]?.id ?? null;
}

export function remember(id) {
  sessionStorage.setItem(KEPT, id);
}

/** The choice of the account. Its value is the id. */
export function actingAs(choose) {
  return html`<label class="acting">Acting as
    <select data-testid="acting-as" @focus=${() => loadAccounts().catch(() => {})}
      @change=${event => chosen(event.target, choose)}>
      ${state.accounts.map(each => html`<option value=${each.id} .selected=${each.id === state.me}>
        ${each.display_name} (@${each.handle})</option>`)}
      <option value=${CREATE} .selected=${!state.me}>${lastOption()}</option>
    </select></label>`;
}

function lastOption() {
  if (!state.areAccountsKnown) return 'Loading …';
  return state.accounts.length ? 'New account …' : 'No account yet';
}

function chosen(select, choose) {
  if (select.value === CREATE) openForm(select); else choose(select.value);
}

function openForm(select) {
  select.value = state.me ?? CREATE;
  form.isOpen = true;
  changed();
}

/** The form for a new account, when it is open or no account exists. */
export function newAccount(choose) {
  if (!state.areAccountsKnown || (!form.isOpen && state.me)) return nothing;
  return html`<form class="card" aria-label="New account" @submit=${event => create(event, choose)}>
    <h2>New account</h2>
    <label>Handle <input name="handle" required pattern="[A-Za-z0-9_]{3,30}" autocomplete="off" data-testid="new-handle"
      title="3 to 30 characters: a to z, 0 to 9 and _"></label>
    <label>Name <input name="name" required maxlength="50" autocomplete="off" data-testid="new-name"></label>
    <div class="row">
      ${state.me ? html`<button type="button" @click=${() => { form.isOpen = false; changed(); }}>Cancel</button>` : nothing}
      <button class="primary">Create</button></div>
    ${form.problem ? html`<p class="failure" role="alert">${form.problem}</p>` : nothing}
  </form>`;
}

async function create(event, choose) {
  event.preventDefault();
  const {handle, name} = event.target.elements;
  const id = handle.value.toLowerCase();
  try {
    await call('POST', '/v1/users', {as: id, body: {handle: handle.value, display_name: name.value}});
    form.isOpen = false;
    form.problem = '';
    await loadAccounts();
    choose(id);
  } catch (problem) {
    form.problem = reason(problem);
  }
  changed();
}
