// SPDX-License-Identifier: Apache-2.0
// The answer as a picture over a scale of load: the interval is a fan that narrows, its estimate the needle, and below it are the
// loads that held and those that broke the SLA.
import {number, rate} from './format.js';
import {html, known} from './html.js';

/** Points of the fan at most. */
const FAN = 60;

/** Loads below the scale at most. */
const TRIED = 80;

/** The place of a load on the scale, 0 to 100. */
const place = (load, end) => (Math.min(1, Math.max(0, load / end)) * 100).toFixed(2);

const upright = (load, end, name, from, to) => html`<line class="${name}" x1="${place(load, end)}" x2="${place(load, end)}" y1="${from}" y2="${to}" vector-effect="non-scaling-stroke"/>`;

/** Whether a load broke: at least half of the windows of its step did, as in the report. */
export const broke = step => step.breached > 0 && 2 * step.breached >= step.windows;

/** A step of 1, 2 or 5 times a power of ten, of which at most five reach the end. */
function tick(end) {
  const power = 10 ** Math.floor(Math.log10(end / 5));
  return [1, 2, 5, 10].map(one => one * power).find(step => end / step <= 5);
}

/** Each so many-eth of a list, and always the last. */
function thinned(list, most) {
  const every = Math.max(1, Math.ceil(list.length / most));
  return list.filter((one, index) => (list.length - 1 - index) % every === 0);
}

/** Outline of the fan: time goes down from 0 to the height, an interval without an upper end is open. */
function fan(rows, end, height) {
  const seen = thinned(rows.filter(row => !row.gap && known(row.values.estimateLow)), FAN);
  if (seen.length < 2) return '';
  const [first, last] = [seen[0].start, seen.at(-1).start];
  const y = row => ((row.start - first) / Math.max(1, last - first) * height).toFixed(2);
  const left = seen.map(row => place(row.values.estimateLow, end) + ',' + y(row));
  const right = seen.map(row => place(known(row.values.estimateHigh) ? Math.max(row.values.estimateHigh, row.values.estimateLow) : end, end) + ',' + y(row));
  return html`<polygon class="fan" points="${[...left, ...right.reverse()].join(' ')}"/>`;
}

const open = found => !found.high || Boolean(found.lowerBound);

/** Interval and needle, between two heights. */
function needle(found, end, from, to) {
  if (!found || !known(found.capacity)) return '';
  const [low, high] = [found.low, open(found) ? end : found.high].map(load => Number(place(load, end)));
  return html`<rect class="interval" x="${low}" y="${from}" width="${Math.max(0, high - low).toFixed(2)}" height="${to - from}"/>${upright(found.capacity, end, 'needle', from, to)}`;
}

const doubtful = found => Boolean(found && found.certainty && found.certainty.level !== 'SURE');

/** How a number with its interval and its doubt reads. */
function spoken(found, over) {
  if (!found) return over ? 'none found' : 'not known yet';
  return (open(found) ? 'at least ' + rate(found.low) : rate(found.capacity) + ', ' + number(found.low) + ' to ' + number(found.high))
    + (!doubtful(found) ? '' : found.certainty.level === 'DOUBTFUL' ? ', doubtful' : ', how sure cannot be known');
}

/**
 * The picture of a run's page.
 *
 * @param found result or estimate, if there is any
 * @param over whether the run is
 * @param natural load at the natural share, requests/s, if it is known
 * @param cap load at the largest share
 * @param load that arrives now
 * @param steps that ended
 * @param rows of the run over time
 */
export function scale({found, over, natural, cap, load, steps, rows}) {
  const loads = steps.map(step => step.requestsPerSecond).filter(known);
  const reach = Math.max(1, natural || 0, load || 0, ...loads, found ? found.high || found.low : 0);
  // A cap that is far off would press everything else to the left; the legend says where it is.
  const end = (known(cap) ? Math.max(reach, Math.min(cap, 1.5 * reach)) : reach) * 1.06;
  const step = tick(end);
  const ticks = Array.from({length: Math.floor(end / step) + 1}, (_, index) => index * step);
  const held = found && found.lastGood;
  const entries = [
    ['natural', '│', 'natural', known(natural) ? rate(natural) : '–'], ['tried-held', '▖', 'held', known(held) ? 'up to ' + rate(held) : '–'],
    ['tried-broke', '▌', 'broke', found && known(found.firstBad) ? 'from ' + rate(found.firstBad) : '–'],
    ['needle', '┃', found && found.estimated ? 'estimate' : 'capacity', spoken(found, over)], ['cap', '┊', 'at most', known(cap) ? rate(cap) : '–'],
  ];
  const text = entries.map(([, , name, value]) => name + ' ' + value).join('; ');
  return html`<svg class="scale ${doubtful(found) ? 'doubtful' : ''}" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="${text}">
    ${ticks.map(value => upright(value, end, 'tick', 0, 100))}
    ${found || !over ? fan(rows, end, 62) : ''}${needle(found, end, 62, 76)}
    ${thinned(steps.filter(one => known(one.requestsPerSecond)), TRIED).map(one => upright(one.requestsPerSecond, end, broke(one) ? 'tried-broke' : 'tried-held', broke(one) ? 80 : 90, 100))}
    ${known(natural) ? upright(natural, end, 'natural', 0, 100) : ''}${known(cap) && cap <= end ? upright(cap, end, 'cap', 0, 100) : ''}
    ${found && known(found.capacity) ? upright(found.capacity, end, 'needle', 0, 76) : ''}</svg>
    <div class="scale-ticks" aria-hidden="true">${ticks.map(value => html`<span data-left="${place(value, end)}">${number(value)}</span>`)}<span class="unit">req/s</span></div>
    <ul class="scale-legend" aria-hidden="true">${entries.map(([name, symbol, label, value]) => html`<li><span class="${name}">${symbol}</span> ${label} <strong>${value}</strong></li>`)}</ul>`;
}

/** The same picture beside a number in a card or a list, where the text says it. */
export function smallScale(found, natural, load) {
  if (!found || !known(found.low)) return html`<svg class="small-scale" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true"></svg>`;
  const end = 1.15 * Math.max(1, natural || 0, load || 0, found.capacity || 0, found.high || 0, found.low, found.firstBad || 0);
  return html`<svg class="small-scale scale ${doubtful(found) ? 'doubtful' : ''}" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
    <line class="tick" x1="0" x2="100" y1="19" y2="19" vector-effect="non-scaling-stroke"/>${needle(found, end, 4, 16)}
    ${known(found.lastGood) ? upright(found.lastGood, end, 'tried-held', 15, 20) : ''}${known(found.firstBad) ? upright(found.firstBad, end, 'tried-broke', 11, 20) : ''}
    ${known(natural) ? upright(natural, end, 'natural', 0, 20) : ''}${known(load) ? upright(load, end, 'load', 0, 8) : ''}</svg>`;
}

/** Capacities over time in a word's height: what is only a lower bound is hollow. */
export function sparkline(points) {
  if (points.length < 2) return '';
  const [least, most] = [Math.min(...points.map(one => one.capacity)), Math.max(...points.map(one => one.capacity))];
  // A change of a tenth is not to look like one of a half.
  const span = Math.max(most - least, 0.2 * most, 1e-9);
  const middle = (most + least) / 2;
  const at = (one, index) => [(4 + index / (points.length - 1) * 92).toFixed(1), (12 - (one.capacity - middle) / span * 16).toFixed(1)];
  const change = points.at(-1).capacity / points[0].capacity - 1;
  const text = `Capacity over ${points.length} runs: ${points.map(one => (one.lowerBound ? 'at least ' : '') + number(one.capacity)).join(', ')} requests/s`;
  return html`<svg class="sparkline ${change < -0.05 ? 'falls' : ''}" viewBox="0 0 100 24" role="img" aria-label="${text}"><title>${text}</title>
    <polyline points="${points.map((one, index) => at(one, index).join(',')).join(' ')}"/>
    ${points.map((one, index) => index === points.length - 1 || one.lowerBound ? html`<circle class="${one.lowerBound ? 'open' : ''}" cx="${at(one, index)[0]}" cy="${at(one, index)[1]}" r="3"/>` : '')}</svg>`;
}

/** Places are set here: the pages' policy allows no styles in markup. */
export function placeTicks(element) {
  element.querySelectorAll('[data-left]').forEach(label => { label.style.left = label.dataset.left + '%'; });
}
