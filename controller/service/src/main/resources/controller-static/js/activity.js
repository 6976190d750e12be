// SPDX-License-Identifier: Apache-2.0
// The last 24 hours on one line of time: runs, freezes, deployments.
import {polled, get} from './api.js';
import {ago, doubtfulTone, doubtfulWords, duration, time} from './format.js';
import {byId, html} from './html.js';

/** Rows of runs at most; what overlaps more is drawn over each other. */
const LANES = 6;

/** Least width of what happened, in thousandths of the line. */
const LEAST = 4;

const [WIDTH, ROW] = [1000, 16];

/** Gives each span the first row that is free at its beginning. */
function stacked(spans) {
  const ends = [];
  return [...spans].sort((one, other) => one.begin - other.begin).map(span => {
    let lane = ends.findIndex(end => end < span.begin);
    if (lane < 0) lane = ends.length < LANES ? ends.length : ends.indexOf(Math.min(...ends));
    ends[lane] = Math.max(ends[lane] || 0, span.begin + Math.max(span.length, LEAST) + 2);
    return {...span, lane};
  });
}

const clockTime = at => new Date(at).toLocaleTimeString(undefined, {hour: '2-digit', minute: '2-digit'});

const runWords = run => `${run.service}: ${run.outcome ? doubtfulWords(run) : run.phase.toLowerCase()}, ${clockTime(run.from)}${run.to ? `, took ${duration((new Date(run.to) - new Date(run.from)) / 1000)}` : ', goes on'}`;

function line({from, to, runs, freezes, deployments}) {
  const [begin, end] = [new Date(from).getTime(), new Date(to).getTime()];
  const x = at => Math.min(WIDTH, Math.max(0, (new Date(at).getTime() - begin) / (end - begin) * WIDTH));
  const span = (one, a, b) => ({...one, begin: x(a), length: x(b) - x(a)});
  const lanes = stacked(runs.map(run => span(run, run.from, run.to || to)));
  const height = Math.max(1, ...lanes.map(run => run.lane + 1)) * ROW;
  const [iceAt, deployedAt] = [height + 8, height + 8 + ROW];
  const hours = Array.from({length: 9}, (_, index) => begin + index * (end - begin) / 8);
  return html`<svg class="activity" height="${deployedAt + ROW + 2}" viewBox="0 0 ${WIDTH} ${deployedAt + ROW + 2}" preserveAspectRatio="none" role="group" aria-label="Runs, freezes and deployments of the last 24 hours; the list below says the same">
    ${hours.map(at => html`<line class="tick" x1="${x(at)}" x2="${x(at)}" y1="0" y2="${deployedAt + ROW}" vector-effect="non-scaling-stroke"/>`)}
    ${lanes.map(run => html`<a href="/runs/${encodeURIComponent(run.id)}" aria-label="${runWords(run)}"><rect class="run ${run.outcome ? doubtfulTone(run) || 'ended' : 'live'}" x="${Math.min(run.begin, WIDTH - LEAST).toFixed(1)}" y="${run.lane * ROW + 2}" width="${Math.max(run.length, LEAST).toFixed(1)}" height="${ROW - 4}"><title>${runWords(run)}</title></rect></a>`)}
    ${freezes.map(freeze => span(freeze, freeze.from, freeze.to)).map(freeze => html`<rect class="freeze" x="${freeze.begin.toFixed(1)}" y="${iceAt}" width="${Math.max(freeze.length, LEAST).toFixed(1)}" height="${ROW - 6}"><title>Freeze of ${freeze.service || 'all services'}: ${freeze.reason}</title></rect>`)}
    ${deployments.map(one => html`<line class="deployment" x1="${x(one.at).toFixed(1)}" x2="${x(one.at).toFixed(1)}" y1="${deployedAt}" y2="${deployedAt + ROW - 4}" vector-effect="non-scaling-stroke"><title>${one.service} ${one.version}, ${clockTime(one.at)}</title></line>`)}</svg>
    <div class="activity-hours" aria-hidden="true">${hours.map((at, index) => html`<span>${index === 8 ? 'now' : clockTime(at)}</span>`)}</div>`;
}

/** The same as a list, newest first. */
function list({runs, freezes, deployments}) {
  const entries = [
    ...runs.map(run => [run.from, html`<a href="/runs/${encodeURIComponent(run.id)}"><bdi>${run.service}</bdi></a> <span class="badge ${run.outcome ? doubtfulTone(run) : 'live-phase'}">${run.outcome ? doubtfulWords(run) : run.phase}</span>${run.to ? html` <span class="faint">took ${duration((new Date(run.to) - new Date(run.from)) / 1000)}</span>` : ''}`]),
    ...freezes.map(freeze => [freeze.from, html`<strong>Freeze</strong> of <bdi>${freeze.service || 'all services'}</bdi> until ${time(freeze.to)}: <bdi>${freeze.reason}</bdi> <span class="faint">by <bdi>${freeze.actor}</bdi></span>`]),
    ...deployments.map(one => [one.at, html`<strong>Deployment</strong> of <a href="/services/${encodeURIComponent(one.service)}"><bdi>${one.service}</bdi></a>, version <bdi>${one.version}</bdi>`]),
  ].sort(([one], [other]) => other.localeCompare(one));
  return html`<details><summary>As a list (${entries.length})</summary><div class="scroll" tabindex="0" role="region" aria-label="The last 24 hours as a list"><ul class="list activity-list">${entries.map(([at, what]) => html`<li>${time(at)} <span class="faint">${ago(at)}</span> ${what}</li>`)}</ul></div></details>`;
}

polled(byId('activity'), async signal => {
  const happened = await get('/activity', signal);
  if (!happened.runs.length && !happened.freezes.length && !happened.deployments.length) return html`<p class="empty">Nothing ran, nothing was frozen, and no deployment was reported.</p>`;
  const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
  return html`<p class="activity-legend faint"><span class="run-key"></span> ${count(happened.runs.length, 'run', 'runs')} <span class="freeze-key"></span> ${count(happened.freezes.length, 'freeze', 'freezes')}
    <span class="deployment-key"></span> ${count(happened.deployments.length, 'deployment', 'deployments')}${happened.complete ? '' : html` <strong class="warn">More happened than can be shown; the oldest are left out.</strong>`}</p>${line(happened)}${list(happened)}`;
}, 30);
