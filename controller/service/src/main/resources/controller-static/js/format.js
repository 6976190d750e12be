// SPDX-License-Identifier: Apache-2.0
// Numbers with their units and sensible digits, times in the viewer's zone with UTC in the hint.
import {now} from './clock.js';
import {html} from './html.js';

const NONE = '–';

/** Keeps a number and its unit in one line. */
const GLUE = '\u00a0';

const known = value => value !== undefined && value !== null && Number.isFinite(value);

/** With three significant digits, and all digits before the point. */
export function number(value) {
  if (!known(value)) return NONE;
  const size = Math.abs(value);
  const digits = size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString(undefined, {maximumFractionDigits: digits});
}

/** A ratio as percent. */
export function percent(ratio) {
  if (!known(ratio)) return NONE;
  const value = ratio * 100;
  const size = Math.abs(value);
  return value.toLocaleString(undefined, {maximumFractionDigits: size >= 10 ? 1 : size >= 1 ? 2 : 3}) + GLUE + '%';
}

/** Requests per second. */
export function rate(value) {
  return known(value) ? number(value) + GLUE + 'req/s' : NONE;
}

/** Seconds as people say them. */
export function duration(seconds) {
  if (!known(seconds)) return NONE;
  const size = Math.abs(seconds);
  if (size < 1) return number(seconds * 1000) + GLUE + 'ms';
  if (size < 60) return number(seconds) + GLUE + 's';
  const whole = Math.round(size);
  const [days, hours, minutes, rest] = [Math.floor(whole / 86400), Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60];
  const parts = days ? [[days, 'd'], [hours, 'h']] : hours ? [[hours, 'h'], [minutes, 'min']] : [[minutes, 'min'], [rest, 's']];
  return (seconds < 0 ? '-' : '') + parts.filter(([value], index) => value || !index).map(([value, unit]) => value + GLUE + unit).join(' ');
}

/** A value of a rule, in the unit of the API: seconds, ratio, requests per second, count, bytes per second. */
export function withUnit(value, unit) {
  if (!known(value)) return NONE;
  switch (unit) {
    case 'seconds': return duration(value);
    case 'ratio': return percent(value);
    case 'requests/s': return rate(value);
    case 'bytes/s': return bytes(value) + '/s';
    default: return number(value);
  }
}

/** Bytes. */
export function bytes(value) {
  if (!known(value)) return NONE;
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(value))) / 3)));
  return number(value / 1000 ** step) + GLUE + units[step];
}

/** Words of the API as people write them: CAPACITY_FOUND is capacity found. */
export function words(name) {
  return name ? name.replaceAll('_', ' ').toLowerCase() : '';
}

const SAME_DAY = {hour: '2-digit', minute: '2-digit', second: '2-digit'};

const OTHER_DAY = {year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit'};

/** An instant in the viewer's zone; UTC in the hint. */
export function time(instant) {
  if (!instant) return html`${NONE}`;
  const at = new Date(instant);
  const today = at.toDateString() === new Date().toDateString();
  return html`<time datetime="${at.toISOString()}" title="${utc(instant)}">${at.toLocaleString(undefined, today ? SAME_DAY : OTHER_DAY)}</time>`;
}

/** An instant as 2026-01-31 09:00:00 UTC. */
export function utc(instant) {
  return new Date(instant).toISOString().replace('T', ' ').replace(/\.\d+Z$/, '') + ' UTC';
}

/** How long ago, or in how long, by the controller's clock. */
export function ago(instant) {
  const seconds = (now() - new Date(instant).getTime()) / 1000;
  return seconds >= 0 ? duration(Math.round(seconds)) + ' ago' : 'in ' + duration(Math.round(-seconds));
}

/** How long ago, or in how long, in its largest unit. */
export function roughly(instant) {
  const seconds = (now() - new Date(instant).getTime()) / 1000;
  const [size, unit] = [[86400, 'd'], [3600, 'h'], [60, 'min']].find(([one]) => Math.abs(seconds) >= one) || [1, 's'];
  const text = Math.floor(Math.abs(seconds) / size) + GLUE + unit;
  return seconds >= 0 ? text + ' ago' : 'in ' + text;
}

const TONES = {
  CAPACITY_FOUND: 'good', PASSED: 'good', TRAFFIC_EXHAUSTED: 'good', THRESHOLD_FAILED: 'bad', FAILED: 'bad',
  INCONCLUSIVE: 'warn', ABORTED: 'warn', BETTER: 'good', SAME: 'good', FITTED: 'good', WORSE: 'bad',
};

/** The tone of each exit code. */
const EXITS = {0: 'good', 98: 'warn', 99: 'bad', 105: 'warn', 106: 'bad'};

/** good, warn or bad. */
export function tone(outcome) {
  return TONES[outcome] || '';
}

/** A capacity with its interval, as a result or an estimate has it. */
export function capacity(found) {
  if (!found) return NONE;
  const certainty = found.certainty && found.certainty.words ? ', ' + found.certainty.words : '';
  const both = found.combined;
  const combined = both ? '; of ' + both.runs + ' runs together: ' + number(both.capacity) + interval(both) : '';
  return (found.lowerBound ? 'at least ' + rate(found.low) : rate(found.capacity) + interval(found)) + certainty + combined;
}

/** The 95 % interval in brackets. */
function interval(found) {
  return ' (' + number(found.low) + ' to ' + (found.high ? number(found.high) : 'unknown') + ')';
}

/** Whether a number is less than sure. */
function unsure(found) {
  return Boolean(found && found.certainty && found.certainty.level !== 'SURE');
}

/** A badge for the worst of some capacities; empty when all are sure. */
export function certainty(found) {
  const worst = found.find(one => unsure(one) && one.certainty.level === 'DOUBTFUL') || found.find(unsure);
  return worst ? html` <span class="badge warn" title="${worst.certainty.words}">${words(worst.certainty.level)}</span>` : '';
}

/** The tone of an outcome: a capacity that is less than sure is never good. */
export const doubtfulTone = run => run.certainty && run.certainty !== 'SURE' ? 'warn' : tone(run.outcome);

/** An outcome as people write it, with the doubt of its capacity. */
export const doubtfulWords = run => words(run.outcome) + (run.certainty && run.certainty !== 'SURE' ? ', ' + (run.certainty === 'DOUBTFUL' ? 'doubtful' : 'how sure cannot be known') : '');

/** Phase of a run, or its outcome when it is over. */
export function badge(run) {
  const over = run.phase === 'Finished' && run.outcome;
  return html`<span class="badge ${over ? (run.exitCode === 0 && unsure(run.result) ? 'warn' : EXITS[run.exitCode] || tone(run.outcome)) : 'live-phase'}">${over ? words(run.outcome) : run.phase}</span>`;
}
