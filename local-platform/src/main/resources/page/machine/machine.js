// The machine room: the lanes, the dead letters, and what each route took and consumed.
import {html, nothing} from '../lit.js';
import {state, changed, announce} from '../store.js';
import {local, reason} from '../api.js';
import {failure, millis, number} from '../parts.js';
import {loadAccounts} from '../app/accounts.js';
import {curve} from './curve.js';
import {followVerification, verification} from './verify.js';

const PAUSE = 2000;
const COLUMNS = ['Lane', 'State', 'Lag', 'Waiting', 'Handled', 'Failed calls', 'Given up'];
const now = {lanes: [], deadLetters: [], curves: [], problem: null, isElsewhere: false, registrations: null};

/** Reads the lanes again and again, and the rest while the room is open. */
export function startMachine() {
  tick();
}

async function tick() {
  if (!document.hidden) await read();
  // With several processes of the API, the lanes are not in this one.
  if (!now.isElsewhere) setTimeout(tick, PAUSE);
}

async function read() {
  try {
    const lanes = await local('GET', 'machine/lanes');
    now.lanes = lanes.items;
    if (now.registrations != null && now.registrations !== lanes.registrations) loadAccounts().catch(() => {});
    now.registrations = lanes.registrations;
    if (state.route.room === 'machine') {
      now.curves = (await local('GET', 'machine/routes')).items;
      now.deadLetters = (await local('GET', 'machine/dead-letters')).items;
    }
    now.problem = null;
  } catch (problem) {
    now.isElsewhere = problem.status === 404;
    now.problem = now.isElsewhere ? null : problem;
  }
  changed();
}

export function openMachine() {
  read();
  followVerification();
}

/** The lanes in a few words, for every room. */
export function lanesInShort() {
  const isHook = state.route.room !== 'machine';
  return html`<div class="lanes-short" data-testid=${isHook ? 'lanes' : nothing} role="group" aria-label="Lanes of the multiplexer">
    ${now.lanes.map(lane => html`<span><i class="lamp ${lane.is_idle ? 'idle' : 'busy'}"></i>${lane.lane}
      <b>${lane.is_idle ? 'idle' : lag(lane)}</b></span>`)}</div>`;
}

/** The X-ray measures it, and may be off. */
function lag(lane) {
  return lane.lag_ms == null ? '–' : millis(lane.lag_ms);
}

export function machine() {
  return html`<h1>Machine room</h1>
    ${now.problem ? failure(now.problem, read) : nothing}
    ${now.isElsewhere ? html`<p class="empty">The lanes are in another process.</p>` : nothing}
    <section><h2>Lanes</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Lanes"><table class="numbers" data-testid="lanes">
      <thead><tr>${COLUMNS.map(title => html`<th scope="col">${title}</th>`)}</tr></thead>
      <tbody>${now.lanes.map(lane => html`<tr data-lane=${lane.lane}><th scope="row"><span class="lane ${lane.lane}">${lane.lane}</span></th>
        <td>${lane.is_held ? 'held' : lane.is_idle ? 'idle' : 'busy'}</td><td>${lag(lane)}</td><td>${lane.waiting == null ? '–' : number(lane.waiting)}</td>
        <td>${number(lane.handled)}</td><td>${number(lane.failed)}</td><td>${number(lane.given_up)}</td></tr>
        ${lane.last_error ? html`<tr><td colspan="7" class="error">${lane.last_error}</td></tr>` : nothing}`)}</tbody></table></div></section>
    <section><h2>Dead letters</h2>${now.deadLetters.length
      ? now.deadLetters.map(deadLetter) : html`<p class="empty">None. Records that can never be applied would be here.</p>`}</section>
    ${verification()}
    <section><h2>Routes in the last 15 minutes</h2>${now.curves.length
      ? now.curves.map(route) : html`<p class="empty">No request yet.</p>`}</section>`;
}

function route(each) {
  return html`<div class="route"><h3><code>${each.route}</code></h3><div class="curves">
    ${curve('requests in 10 s', '', each.requests)}
    ${curve('p50 and p99', ' ms', each.p99, each.p50)}
    ${curve('read and write units', '', each.read_units, each.write_units)}</div></div>`;
}

function deadLetter(each) {
  return html`<details class="dead-letter" data-testid="dead-letter"><summary><b>${each.handler}</b> <code>${each.subject}</code>
      <span class="error">${each.reason}</span></summary>
    <pre tabindex="0">${each.page}</pre>
    <div class="row"><button @click=${() => act('POST', each, 'redrive')}>Redrive</button>
      <button @click=${() => act('DELETE', each, '')}>Drop</button></div></details>`;
}

async function act(method, each, what) {
  try {
    const answer = await local(method, `machine/dead-letters/${encodeURIComponent(each.id)}${what ? '/' + what : ''}`);
    announce(answer.result);
  } catch (problem) {
    announce(reason(problem));
  }
  read();
}
