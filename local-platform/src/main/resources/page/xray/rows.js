// The rows that an action wrote, below their partition keys, with the entries that indexes have of them.
import {html, nothing} from '../lit.js';

export function rowsByPartition(rows) {
  const partitions = Map.groupBy(rows, row => row.pk);
  return html`<div class="partitions">${[...partitions].map(([pk, ofKey]) => html`
    <div class="partition"><h3><code>${pk}</code></h3>${ofKey.map(row)}</div>`)}</div>`;
}

function row(each) {
  return html`<details class="table-row ${each.is_there ? '' : 'gone'}" data-testid="xray-row" data-pk=${each.pk} data-sk=${each.sk}>
    <summary><code>${each.sk}</code>${each.is_there ? nothing : html`<span class="chip">deleted</span>`}
      ${each.indexes.map(entry => html`<span class="chip index" title=${`${entry.pk} / ${entry.sk}`}>${entry.index}</span>`)}</summary>
    ${each.indexes.map(entry => html`<div class="detail"><span>${entry.index}</span><code>${entry.pk} / ${entry.sk}</code></div>`)}
    ${each.is_there ? html`<table><tbody>${Object.entries(each.attributes).map(([name, value]) => html`
      <tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>` : nothing}
  </details>`;
}
