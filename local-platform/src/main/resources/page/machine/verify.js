// Verifies the table: each derived row and counter is compared with its source.
import {html, nothing} from '../lit.js';
import {changed} from '../store.js';
import {local, reason} from '../api.js';
import {number} from '../parts.js';

const PAUSE = 300;
let status = {state: 'unavailable'};

/** Reads the last run, and follows it until it has ended. */
export async function followVerification(method = 'GET') {
  try {
    status = await local(method, 'machine/verification');
  } catch (problem) {
    status = {state: 'failed', problem: reason(problem)};
  }
  changed();
  if (status.state === 'running') setTimeout(followVerification, PAUSE);
}

export function verification() {
  if (status.state === 'unavailable') return nothing;
  const isRunning = status.state === 'running';
  return html`<section data-testid="verification"><header class="title"><h2>Verification</h2>
      <button data-testid="verify" ?disabled=${isRunning} @click=${() => followVerification('POST')}>Verify the table</button></header>
    <p class="quiet" role="status">${words()}</p>
    ${isRunning ? html`<progress aria-label="Verifying"></progress>` : nothing}
    ${status.state === 'done' ? results(status.checks) : nothing}</section>`;
}

function words() {
  const {state, rows, checks, problem} = status;
  if (state === 'running') return `${number(rows)} rows are read.`;
  if (state === 'failed') return `It could not run: ${problem}`;
  if (state !== 'done') return 'Compares each derived row and each counter with its source, as ./feed verify does.';
  const drifts = checks.reduce((sum, each) => sum + each.drifts, 0);
  return `${number(rows)} rows: ${drifts ? `${number(drifts)} drift. ./feed verify --fix repairs it.` : 'no drift.'}`;
}

function results(checks) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Checks"><table class="numbers">
    <thead><tr><th scope="col">Check</th><th scope="col">Compared</th><th scope="col">Drift</th></tr></thead>
    <tbody>${checks.map(each => html`<tr data-check=${each.check}><th scope="row">${each.check}</th><td>${number(each.compared)}</td>
      <td class=${each.drifts ? 'error' : ''}>${number(each.drifts)}</td></tr>
      ${each.examples.map(example => html`<tr><td colspan="3" class="error">${example}</td></tr>`)}`)}</tbody></table></div>`;
}
