// A curve of the last 15 minutes.
import {html} from '../lit.js';

const WIDTH = 180;
const HEIGHT = 40;

/** Draws values, the oldest first, with one line for each list. */
export function curve(label, unit, ...lists) {
  const top = Math.max(1e-9, ...lists.flat());
  const last = lists[0].at(-2) ?? 0;
  const points = values => values.map((value, i) =>
    `${(i / (values.length - 1) * WIDTH).toFixed(1)},${(HEIGHT - 2 - value / top * (HEIGHT - 6)).toFixed(1)}`).join(' ');
  return html`<figure class="curve"><figcaption>${label} <b>${shortened(Math.max(...lists.flat()))}${unit}</b></figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" preserveAspectRatio="none"
      aria-label="${label} of the last 15 minutes: at most ${shortened(Math.max(...lists.flat()))}${unit}, lately ${shortened(last)}${unit}">
      <polyline class="first" points=${points(lists[0])}></polyline>
      <polyline class="second" points=${lists[1] ? points(lists[1]) : ''}></polyline>
    </svg></figure>`;
}

function shortened(value) {
  return value >= 100 ? Math.round(value) : Number(value.toFixed(1));
}
