// SPDX-License-Identifier: Apache-2.0
// The top of the charts of a run: the axis of time, its phases as a ribbon, a row with the verdict of each window, and the numbers of
// its highlights.
import {html} from './html.js';

/** Distances of the marks of an axis, seconds. */
const STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 86400];

const HEIGHT = 58;

const AXIS_HEIGHT = 16;

const PIXELS_A_TICK = 64;

const PHASES = {y: 20, height: 16};

const VERDICTS = {y: 39, height: 14};

/** So much of the row is filled: what broke is tallest, so that the colour is not all that tells. */
const TALL = {HOLDS: 0.35, INCONCLUSIVE: 0.65, BREACHED: 1};

const LETTER = 6.6;

/** Time since the start as 12:30 or 1:02:30. */
export function sinceStart(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes, rest] = [Math.floor(Math.abs(seconds) / 3600), Math.floor(Math.abs(seconds) / 60) % 60, Math.abs(seconds) % 60];
  const two = value => String(value).padStart(2, '0');
  return (seconds < 0 ? '-' : '') + (hours ? hours + ':' + two(minutes) : minutes) + ':' + two(rest);
}

/** The distance of marks of which at most so many fit, milliseconds. */
const tickOf = (span, most) => 1000 * (STEPS.find(step => span / 1000 / step <= most) || Math.ceil(span / 86400e3 / most) * 86400);

/** Rows that are alike and follow one another, as one. */
function pieces(rows, name) {
  const found = [];
  let last = null;
  for (const row of rows) {
    if (row.gap) last = null;
    else if (last && last.is === row[name]) last.end = row.end;
    else found.push(last = {is: row[name], start: row.start, end: row.end});
  }
  return found;
}

/** The times that an axis of so many pixels has marks at. */
function ticks([from, to], width) {
  const interval = tickOf(to - from, Math.max(2, Math.floor(width / PIXELS_A_TICK)));
  const found = [];
  for (let at = Math.ceil(from / interval) * interval; at <= to; at += interval) found.push(at);
  return found;
}

/** The class of a time: at the end of the axis it ends there. */
const timeClass = (x, width) => x > width - 24 ? 'time last' : 'time';

/** The axis of time below a column, as markup; the one on top is a part of the ribbon. */
export function axisOf({range, width, left, right}) {
  const inner = Math.max(1, width - left - right);
  const x = at => (left + (at - range[0]) / (range[1] - range[0]) * inner).toFixed(1);
  return html`<svg class="phase-ribbon" width="${width}" height="${AXIS_HEIGHT}" viewBox="0 0 ${width} ${AXIS_HEIGHT}" aria-hidden="true">
    ${ticks(range, inner).map(at => html`<line class="tick" x1="${x(at)}" x2="${x(at)}" y1="0" y2="4"/><text class="${timeClass(x(at), width)}" x="${x(at)}" y="13">${sinceStart(at)}</text>`)}</svg>`;
}

/**
 * The ribbon as markup.
 *
 * @param moments the highlights, with their instants
 * @param width pixels, with margins left and right
 */
export function ribbonOf({rows, begin, range: [from, to], moments, width, left, right}) {
  const inner = Math.max(1, width - left - right);
  const x = time => left + Math.min(1, Math.max(0, (time - begin - from) / (to - from))) * inner;
  const seen = part => part.end - begin > from && part.start - begin < to;
  const phases = pieces(rows, 'phase').filter(seen);
  const verdicts = pieces(rows, 'judgement').filter(seen);
  return html`<svg class="phase-ribbon" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="Phases: ${phases.map(part => part.is + ' from ' + sinceStart(part.start - begin)).join(', ')}">
    ${ticks([from, to], inner).map(at => html`<line class="tick" x1="${x(at + begin).toFixed(1)}" x2="${x(at + begin).toFixed(1)}" y1="13" y2="${HEIGHT}"/><text class="${timeClass(x(at + begin), width)}" x="${x(at + begin).toFixed(1)}" y="10">${sinceStart(at)}</text>`)}
    ${phases.map(part => {
      const [start, end] = [x(part.start), x(part.end)];
      return html`<rect class="phase-${part.is.toLowerCase()}" x="${start.toFixed(1)}" y="${PHASES.y}" width="${Math.max(1, end - start).toFixed(1)}" height="${PHASES.height}"/>
        ${end - start > part.is.length * LETTER + 8 ? html`<text class="phase" x="${(start + 4).toFixed(1)}" y="${PHASES.y + 12}">${part.is}</text>` : ''}`;
    })}
    ${verdicts.map(part => {
      const height = VERDICTS.height * TALL[part.is];
      return html`<rect class="verdict-${part.is.toLowerCase()}" x="${x(part.start).toFixed(1)}" y="${(VERDICTS.y + VERDICTS.height - height).toFixed(1)}" width="${Math.max(1, x(part.end) - x(part.start)).toFixed(1)}" height="${height.toFixed(1)}"/>`;
    })}
    ${moments.map((moment, index) => {
      const at = new Date(moment.at).getTime();
      return at - begin < from || at - begin > to ? '' : html`<g class="moment"><circle cx="${x(at).toFixed(1)}" cy="${VERDICTS.y + 3}" r="7.5"/><text x="${x(at).toFixed(1)}" y="${VERDICTS.y + 7}">${index + 1}</text></g>`;
    })}
    <text class="row" x="${left - 6}" y="${PHASES.y + 12}">phase</text><text class="row" x="${left - 6}" y="${VERDICTS.y + 11}">SLA</text></svg>`;
}
