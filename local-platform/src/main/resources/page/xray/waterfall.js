// The calls and effects of a request on a common axis of time.
import {html, svg} from '../lit.js';
import {millis} from '../parts.js';

const HEIGHT = 15;
const LABEL = 150;
const WIDTH = 460;
const MOST = 24;

export function waterfall(trace) {
  const bars = [
    {label: 'HTTP request', kind: 'request', start: 0, end: trace.request.millis},
    ...trace.calls.map(call => ({
      label: `${call.request.operation} ${call.request.index ?? ''}`, kind: 'call',
      start: call.start_ms, end: call.start_ms + call.millis,
    })),
    ...trace.effects.filter(each => each.start_ms != null)
      .map(each => ({label: each.name, kind: each.lane, start: each.start_ms, end: each.end_ms ?? each.start_ms})),
  ].slice(0, MOST);
  const end = Math.max(1, ...bars.map(bar => bar.end));
  const x = time => LABEL + Math.max(0, time) / end * (WIDTH - LABEL - 52);
  return html`<svg class="waterfall" viewBox="0 0 ${WIDTH} ${bars.length * HEIGHT + 4}" role="img"
      aria-label="Timeline: the request took ${millis(trace.request.millis)}, everything ${millis(end)}">
    ${bars.map((bar, i) => svg`<g>
      <text x="0" y=${i * HEIGHT + 12}>${bar.label.slice(0, 24)}</text>
      <rect class=${bar.kind} x=${x(bar.start)} y=${i * HEIGHT + 4} height="9" rx="3" width=${Math.max(2, x(bar.end) - x(bar.start))}></rect>
      <text class="time" x=${x(bar.end) + 5} y=${i * HEIGHT + 12}>${millis(bar.end - bar.start)}</text></g>`)}
    </svg>`;
}
