// The X-ray: what the last action did, from its HTTP exchange to the last of its effects.
import {html, nothing} from '../lit.js';
import {changed} from '../store.js';
import {exchanges, local, watchActions} from '../api.js';
import {dollars, icon, millis} from '../parts.js';
import {waterfall} from './waterfall.js';
import {rowsByPartition} from './rows.js';

/** Pauses between looks at a request whose effects are under way. */
const PAUSES = [60, 120, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000, 5000, 8000];
const OFF = 'The X-ray is off. Start the platform without --no-xray to see what a request does.';
const shown = {id: null, exchange: null, trace: null, problem: null, isOpen: false, isOff: false};
let timer;
let onTrace = () => {};

/** Calls a function when more is known of the last action. */
export function watchTrace(watcher) {
  onTrace = watcher;
}

/** The rows that the last action wrote so far. */
export function rowsWritten() {
  return shown.trace?.rows ?? [];
}

/** Follows each action of the user. */
export async function startXray() {
  watchActions(exchange => {
    if (shown.isOff) return;
    // A page that is read does not replace the action that the user looks at, as long as there is one.
    if (exchange.method === 'GET' && shown.exchange && shown.exchange.method !== 'GET'
      && Date.now() - shown.since < 1500) return;
    follow(exchange.id);
  });
  try {
    shown.isOff = !(await local('GET', 'xray/requests')).is_on;
    changed();
  } catch {
    // The page says that the platform does not answer.
  }
}

function follow(id) {
  clearTimeout(timer);
  Object.assign(shown, {id, exchange: exchanges.find(each => each.id === id), trace: null, problem: null, since: Date.now()});
  changed();
  look(id, 0);
}

async function look(id, times) {
  try {
    const trace = await local('GET', `xray/requests/${encodeURIComponent(id)}`);
    if (shown.id !== id) return;
    const before = rowsWritten().length;
    shown.trace = trace;
    shown.problem = null;
    if (trace.rows.length !== before) onTrace();
  } catch (problem) {
    if (shown.id !== id) return;
    shown.problem = problem;
  }
  changed();
  const isWrite = shown.trace?.calls.some(call => call.written.length);
  const isDone = shown.trace && !shown.trace.pending && (!isWrite || times >= 6);
  if (!isDone && times < PAUSES.length) timer = setTimeout(() => look(id, times + 1), PAUSES[times]);
}

/** The panel. On small screens it is a line that opens. */
export function xray() {
  const {trace, exchange, isOpen} = shown;
  return html`<aside class="xray ${isOpen ? 'open' : ''}" data-testid="xray" aria-label="X-ray of the last action">
    <button class="handle-bar" aria-expanded=${isOpen} @click=${() => { shown.isOpen = !isOpen; changed(); }}>
      ${icon('xray')}<b>X-ray</b>
      <span class="sum">${trace ? `${trace.request.method} ${trace.request.route.replace(/^\S+ /, '')}` : shown.isOff ? 'Off' : 'Do something to see it'}</span>
    </button>
    <div class="content">
      <h2 class="wide-only">${icon('xray')} X-ray</h2>
      ${shown.isOff ? html`<p class="empty">${OFF}</p>` : chooser()}
      <p><a href="#/table">The table</a> · <a href="#/patterns">All access patterns</a></p>
      ${shown.problem && !trace ? html`<p class="empty">This process does not know the request.</p>` : nothing}
      ${trace ? details(trace, exchange) : nothing}
    </div>
  </aside>`;
}

function chooser() {
  if (!exchanges.length) return html`<p class="quiet">Like, post or follow: this panel shows what it did to the table.</p>`;
  return html`<label class="quiet">Request
    <select aria-label="Request" @change=${event => follow(event.target.value)}>
      ${exchanges.map(each => html`<option value=${each.id} .selected=${each.id === shown.id}>
        ${each.method} ${each.path} → ${each.status}</option>`)}
    </select></label>`;
}

function details(trace, exchange) {
  const {request} = trace;
  const reads = request.units.read + request.effect_units.read;
  const writes = request.units.write + request.effect_units.write;
  return html`
    <div class="verdict">
      <div><b class="status s${Math.floor(request.status / 100)}">${request.status}</b><span>after ${millis(request.millis)}</span></div>
      <div><b>${dollars(request.dollars * 1e6)}</b><span>a million of these on AWS</span></div>
      <div><b>${round(reads)} / ${round(writes)}</b><span>read / write units</span></div>
      <div aria-live="polite"><b>${trace.pending ? `${trace.pending} left` : trace.done_ms == null ? 'none' : millis(trace.done_ms)}</b>
        <span>${trace.pending ? 'effects under way' : trace.done_ms == null ? 'effects' : 'until the last effect'}</span></div>
    </div>
    ${waterfall(trace)}
    ${exchange ? part('HTTP exchange', nothing, http(exchange)) : nothing}
    ${part('DynamoDB calls of the request', trace.calls.length, trace.calls.map(call))}
    ${trace.rows.length ? part('Rows written', trace.rows.length, rowsByPartition(trace.rows), true) : nothing}
    ${trace.records.length ? part('Stream records and their effects', trace.records.length, records(trace), true) : nothing}
    ${trace.omitted ? html`<p class="quiet">${trace.omitted} more calls, records, effects or rows are not kept.</p>` : nothing}`;
}

function part(title, count, content, isOpen = true) {
  return html`<details class="part" ?open=${isOpen}>
    <summary>${title} ${count === nothing ? nothing : html`<span class="chip">${count}</span>`}</summary>${content}</details>`;
}

function http(exchange) {
  const lines = headers => headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return html`<details class="message"><summary><code>${exchange.method} ${exchange.path}</code></summary>
      <pre tabindex="0">${lines(exchange.sent)}${exchange.body ? `\n\n${pretty(exchange.body)}` : ''}</pre></details>
    <details class="message"><summary><code>${exchange.status}</code> in ${millis(exchange.millis)}, seen from the browser</summary>
      <pre tabindex="0">${lines(exchange.received)}${exchange.answer ? `\n\n${pretty(exchange.answer)}` : ''}</pre></details>`;
}

function pretty(json) {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** A call of DynamoDB. */
export function call(each) {
  const {request} = each;
  const units = Object.entries(each.units).map(([where, number]) => `${where} ${round(number)}`).join(', ');
  return html`<div class="call ${each.error ? 'failed' : ''}">
    <div class="line"><b class="op">${request.operation}</b><span class="index">${request.index ?? 'table'}</span>
      ${request.is_strong == null ? nothing : html`<span class="quiet">${request.is_strong ? 'strong' : 'eventual'}</span>`}
      ${each.items == null ? nothing : html`<span class="quiet">${each.items} ${each.items === 1 ? 'item' : 'items'}</span>`}
      <span class="cost">${units || 'no units'} · ${millis(each.millis)}</span></div>
    <pre tabindex="0">${request.keys}</pre>
    ${Object.entries(request.details).map(([name, text]) => html`<div class="detail"><span>${name}</span><code>${text}</code></div>`)}
    ${each.error ? html`<p class="error">${each.error}</p>` : nothing}
  </div>`;
}

function records(trace) {
  return trace.records.map(record => html`<div class="record">
    <div class="line"><b class="event ${record.event.toLowerCase()}">${record.event}</b><code>${record.pk} / ${record.sk}</code>
      <span class="cost">${millis(record.seen_ms)}</span></div>
    ${trace.effects.filter(each => each.record === record.sequence).map(effect)}
  </div>`);
}

function effect(each) {
  const state = each.error ? html`<span class="error">${each.error}</span>`
    : each.end_ms == null ? html`<span class="quiet">waits</span>`
    : html`<span class="cost">done at ${millis(each.end_ms)}</span>`;
  return html`<details class="effect"><summary><span class="lane ${each.lane}">${each.lane}</span> <b>${each.name}</b>
      <span class="quiet">${each.what}</span> ${state}</summary>
    ${each.shared_by > 1 ? html`<p class="quiet">Applied together with effects of ${each.shared_by - 1} other requests.</p>` : nothing}
    ${each.calls.length ? each.calls.map(call) : html`<p class="quiet">No call of its own.</p>`}</details>`;
}

function round(value) {
  return Number(value.toFixed(2));
}

