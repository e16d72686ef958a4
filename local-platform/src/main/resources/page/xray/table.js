// The picture of the table: partitions as columns, rows stacked in the order of their sort keys, index entries beside. The
// rows that the last action wrote light up.
import {html, nothing} from '../lit.js';
import {state, changed} from '../store.js';
import {local} from '../api.js';
import {failure} from '../parts.js';
import {rowsWritten, watchTrace} from './xray.js';

const MOST = 16;
const now = {partitions: [], problem: null};

/** Follows the actions while the room is open. */
watchTrace(() => { if (state.route.room === 'table') read(); });

export function openTable() {
  read();
}

async function read() {
  const keys = [...new Set(rowsWritten().map(row => row.pk))].slice(0, MOST);
  const query = keys.length ? `?keys=${encodeURIComponent(keys.join())}` : '';
  try {
    now.partitions = (await local('GET', `xray/partitions${query}`)).items;
    now.problem = null;
  } catch (problem) {
    now.problem = problem;
  }
  changed();
}

export function tableView() {
  const written = rowsWritten();
  return html`<h1>The table</h1>
    <p class="quiet">Some partitions of the one table, those of the last action first. Its rows are lit, and each row has its index
      entries beside it.</p>
    ${now.problem ? failure(now.problem, read) : nothing}
    <div class="picture" tabindex="0" role="region" aria-label="Partitions of the table" data-testid="table">
      ${now.partitions.map(each => partition(each, written.filter(row => row.pk === each.pk)))}</div>`;
}

function partition({pk, rows, has_more: hasMore}, written) {
  const there = new Set(rows.map(row => row.sk));
  const lit = new Set(written.map(row => row.sk));
  // Rows that are deleted, or come after the first ones.
  const others = written.filter(row => !there.has(row.sk));
  const stack = [...rows, ...others].sort((one, other) => one.sk < other.sk ? -1 : 1);
  return html`<section class="partition"><h2><code>${pk}</code></h2>
    <ul>${stack.map(row => html`<li class="stacked ${lit.has(row.sk) ? 'lit' : ''} ${row.is_there ? '' : 'gone'}" data-sk=${row.sk}>
      <span><b>${row.entity}</b> <code>${row.sk}</code>${lit.has(row.sk) ? html`<span class="visually-hidden"> just written</span>` : nothing}</span>
      <span>${row.indexes.map(entry => html`<code class="index">${entry.index}: ${entry.pk} / ${entry.sk}</code> `)}</span></li>`)}
      ${hasMore ? html`<li class="quiet">more rows</li>` : nothing}</ul></section>`;
}
