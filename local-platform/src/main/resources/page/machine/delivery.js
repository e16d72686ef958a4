// Where a post is: its delivery as progress, and why it is in a feed or is not.
import {html, nothing} from '../lit.js';
import {state, changed} from '../store.js';
import {call, reason} from '../api.js';
import {number} from '../parts.js';

const PAUSE = 700;
const UNDER_WAY = ['pending', 'planning', 'delivering'];
let shown = {};

/** Follows the delivery of a post until it has ended. */
export function openDelivery(post) {
  shown = {post, delivery: null, reader: state.me, why: null, problem: ''};
  follow(shown);
}

async function follow(of) {
  const {post} = of;
  try {
    // Only its author may read it.
    of.delivery = await call('GET', `/v1/posts/${post.id}/delivery`, {isQuiet: true, as: post.author.id});
  } catch (problem) {
    of.problem = reason(problem);
  }
  changed();
  if (of === shown && state.route.parts[0] === post.id && UNDER_WAY.includes(of.delivery?.state)) setTimeout(() => follow(of), PAUSE);
}

export function delivery(post) {
  if (shown.post?.id !== post.id) return nothing;
  return html`<section class="card" aria-label="Delivery" data-testid="delivery"><h2>Delivery</h2>
      ${shown.delivery ? progress(shown.delivery) : nothing}
      <form class="row" @submit=${event => { event.preventDefault(); ask(shown); }}>
        <select aria-label="Reader" data-testid="reader" @change=${event => Object.assign(shown, {reader: event.target.value, why: null})}>
          ${state.accounts.map(each => html`<option value=${each.id} .selected=${each.id === shown.reader}>
            ${each.display_name} (@${each.handle})</option>`)}</select>
        <button data-testid="why">Is it in this feed?</button></form>
      ${shown.why ? html`<p data-testid="reason" role="status"><b class="chip">${shown.why.reason.replaceAll('_', ' ')}</b> ${shown.why.detail}
        ${shown.why.delivery ? `${number(shown.why.delivery.done)} of ${number(shown.why.delivery.planned)} followers are done.` : ''}</p>` : nothing}
      ${shown.problem ? html`<p class="error" role="alert">${shown.problem}</p>` : nothing}</section>`;
}

function progress({mode, state: phase, planned, written, skipped, failed, lag_seconds: lag}) {
  if (mode === 'pull') return html`<p>Readers pull it from its author, so there is nothing to deliver.</p>`;
  return html`<p>${phase}: written into ${number(written)} of ${number(planned)} feeds${skipped ? `, ${number(skipped)} skipped` : ''}${failed
      ? `, ${number(failed)} failed` : ''}${lag ? `, ${lag.toFixed(1)} s after the post` : ''}.</p>
    <progress aria-label="Delivered" max=${Math.max(1, planned)} value=${phase === 'delivered' ? Math.max(1, planned) : written + skipped + failed}></progress>`;
}

async function ask(of) {
  of.problem = '';
  try {
    of.why = await call('GET', `/v1/feed/why-missing?post_id=${encodeURIComponent(of.post.id)}`, {as: of.reader});
  } catch (problem) {
    of.why = null;
    of.problem = reason(problem);
  }
  changed();
}
