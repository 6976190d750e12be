// SPDX-License-Identifier: Apache-2.0
// A card for each live run: state in plain words, the answer so far as a picture, who is hurt, time left, and its Stop.
import {get, stream} from './api.js';
import {smallScale} from './capacity-scale.js';
import {now} from './clock.js';
import {ago, number, percent, rate, withUnit} from './format.js';
import {byId, html, known, show, showChanged} from './html.js';
import {fillMeters, meter} from './meter.js';
import {failing, gauge, left, stateOf, stateWords} from './run-state.js';
import {Stop} from './run-stop.js';
import {showUnproven} from './unproven.js';

/** Seconds after the length of a window for the next one to come. */
const SILENT = 2.5;

/** Milliseconds without an event after which the stream is taken for broken: the controller sends one at least every 6 s. */
const DEAD = 15000;

const rows = new Map();

/** Ids in the order of the cards: live runs, and those that were stopped here until somebody leaves. */
let order = [];

let lost = '';

let waiting = false;

const shell = run => html`<div class="run-card-head"><div class="run-card-state"></div>
    <button type="button" class="stop" data-needs="operator" aria-label="Stop ${run.service}" title="Restores all traffic of this run at once">Stop</button></div>
  <p class="problem" role="alert"></p><p class="proof" role="status"></p>
  <p class="run-card-title"><a href="/runs/${encodeURIComponent(run.id)}"><bdi>${run.service}</bdi></a> <span class="faint"><bdi>${run.sut}</bdi> · ${run.profile} · <bdi>${run.plan}</bdi></span></p>
  <div class="run-card-answer"></div><div class="run-card-share"></div><dl class="facts run-card-facts"></dl><div class="run-card-rule"></div>
  <form class="why" hidden><label>Why? For the audit log, if you like <input maxlength="500" autocomplete="off"></label> <button type="submit">Save reason</button> <span role="status"></span></form>`;

function answer(run) {
  const {estimate} = run;
  const words = !estimate ? 'not known yet' : estimate.high ? html`${rate(estimate.capacity)} <span class="faint">${number(estimate.low)} to ${number(estimate.high)}</span>` : 'at least ' + rate(estimate.low);
  const natural = known(run.serviceRequestsPerSecond) ? run.naturalShare * run.serviceRequestsPerSecond : undefined;
  return html`<p class="line"><span class="faint">Capacity so far</span> <strong>${words}</strong></p>${smallScale(estimate, natural, run.requestsPerSecond)}`;
}

function share(run) {
  return html`<p class="line"><span class="faint">Share now</span> <span><strong>${known(run.measuredShare) ? percent(run.measuredShare) : 'not measured'}</strong>
    <span class="faint">natural ${percent(run.naturalShare)}, at most ${percent(run.maxShare)}</span></span></p>${gauge(run, run.measuredShare)}`;
}

function facts(run) {
  const {requests, used} = run.harm;
  return [['Left at most', left(run.limitAt, now())], ['Failing now', failing(run.window)], ['Load', rate(run.requestsPerSecond)],
    ['Harm by the test', html`<strong class="${!requests ? 'good' : used >= 1 ? 'bad' : 'warn'}">${number(requests)}</strong>${known(used) ? html` <span class="faint">${percent(used)} of budget</span>` : ''}`]]
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
}

function rule({rule: nearest}) {
  if (!nearest) return html`<p class="faint">No rule has a value yet.</p>`;
  const broken = nearest.judgement === 'BREACHED';
  const text = known(nearest.value) ? withUnit(nearest.value, nearest.unit) + ' of ' + withUnit(nearest.threshold, nearest.unit) : 'no data';
  return html`<p class="line"><span class="faint">${nearest.name}</span> <span class="${broken ? 'bad' : ''}">${text}${broken ? ' – broken' : ''}</span></p>${meter(nearest.name + ' of its limit', nearest.utilisation, text, broken)}`;
}

/** Why what is known of a run is not what is now; empty when it is. */
function old({run, missing}) {
  if (missing) return 'There is no such run any more.';
  if (lost) return lost;
  const ended = known(run.windowEndedAt) ? new Date(run.windowEndedAt) : null;
  return ended && (now() - ended) / 1000 > run.windowSeconds + SILENT ? `Last window ${ago(run.windowEndedAt)}.` : '';
}

/** Cards that are drawn at once; those out of sight follow, so many in each frame and then each second. */
const AT_ONCE = 12;

const sights = new IntersectionObserver(entries => {
  for (const {target, isIntersecting} of entries) {
    const row = rows.get(target.dataset.run);
    if (row) row.seen = isIntersecting;
  }
  later();
}, {rootMargin: '400px'});

function element(id) {
  const card = Object.assign(document.createElement('li'), {className: 'card run-card'});
  card.dataset.run = id;
  sights.observe(card);
  return card;
}

function fill(id, row) {
  show(row.element, shell(row.run));
  const part = name => row.element.querySelector(name);
  row.parts = {state: part('.run-card-state'), answer: part('.run-card-answer'), share: part('.run-card-share'), facts: part('.run-card-facts'), rule: part('.run-card-rule')};
  row.stop = new Stop('/runs/' + encodeURIComponent(id), {button: part('.stop'), problem: part('.problem'), proof: part('.proof'), why: part('.why')}, () => { /* The stream tells. */ });
}

function draw(id, row) {
  if (!row.parts) fill(id, row);
  const {run, parts} = row;
  row.drawn = performance.now();
  const over = run.phase === 'Finished';
  const unknown = over ? '' : old(row);
  const state = stateOf(run, run.window);
  showChanged(parts.state, stateWords(state, unknown));
  row.element.dataset.tone = unknown ? 'warn' : state.tone;
  row.element.classList.toggle('old', Boolean(unknown));
  if (!over) {
    showChanged(parts.answer, answer(run));
    showChanged(parts.share, share(run));
    showChanged(parts.facts, facts(run));
    const nearest = rule(run);
    if (row.nearest !== String(nearest)) {
      row.nearest = String(nearest);
      show(parts.rule, nearest);
      fillMeters(parts.rule);
    }
  }
  row.element.classList.toggle('over', over);
  row.stop.offer(run);
}

function paint() {
  waiting = false;
  const list = byId('live');
  const shown = new Set(order);
  for (const [id, row] of rows) {
    if (!shown.has(id)) {
      if (row.element) sights.unobserve(row.element);
      row.element?.remove();
      rows.delete(id);
    }
  }
  const there = order.filter(id => rows.has(id));
  for (const [index, id] of there.entries()) {
    const row = rows.get(id);
    row.element ??= element(id);
    if (list.children[index] !== row.element) list.insertBefore(row.element, list.children[index] || null);
  }
  const near = there.filter(id => rows.get(id).seen || rows.get(id).gone);
  const far = there.filter(id => !rows.get(id).seen && !rows.get(id).gone).sort((one, other) => (rows.get(one).drawn || 0) - (rows.get(other).drawn || 0)).slice(0, AT_ONCE);
  for (const id of [...near, ...far]) draw(id, rows.get(id));
  if (there.some(id => !rows.get(id).parts)) later();
  byId('live-count').textContent = order.length || '';
  if (list.dataset.state === 'ready') document.dispatchEvent(new CustomEvent('redliner:live', {detail: order.length}));
  byId('live-empty').hidden = list.dataset.state !== 'ready' || order.length > 0;
}

function later() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(paint);
}

/** Asks how a run ended that was stopped here, until its end is known. */
async function ended(id, row) {
  try {
    const run = await get('/runs/' + encodeURIComponent(id));
    if (run.phase === 'Finished') row.run = run;
  } catch (failure) {
    row.missing = failure.status === 404;
  }
  later();
  if (row.run.phase !== 'Finished' && !row.missing) setTimeout(() => ended(id, row), 2000);
}

function update({at, live, runs, unproven}) {
  lost = '';
  showUnproven(unproven);
  for (const run of runs) {
    const row = rows.get(run.id);
    if (row) row.run = run;
    else rows.set(run.id, {run, element: null});
  }
  const next = [...live];
  const going = new Set(live);
  for (const [index, id] of order.entries()) {
    const row = rows.get(id);
    // An answer that was lost says nothing of the stop.
    if (!row?.stop?.everPressed) continue;
    const gone = !going.has(id);
    if (gone || row.run.phase === 'Restoring') row.stop.restoringSince(at);
    if (!gone) continue;
    next.splice(Math.min(index, next.length), 0, id);
    if (!row.gone) {
      row.gone = true;
      ended(id, row);
    }
  }
  order = next;
  byId('live-state').textContent = '';
  byId('live').dataset.state = 'ready';
  later();
}

document.addEventListener('redliner:kill-switch', turned => {
  document.querySelectorAll('#live-empty [data-engaged]').forEach(words => {
    words.hidden = words.dataset.engaged !== String(turned.detail.engaged);
  });
});

/** Nothing on the board is live until the next event. */
function lose(why) {
  byId('live').dataset.state = 'stale';
  lost = 'Trying again.';
  byId('live-state').textContent = why + ': these numbers are old. Trying again.';
  later();
}

stream('/runs:live', {runs: update}, state => {
  if (state !== 'open') lose(state === 'lost' ? 'Connection lost' : 'Live runs cannot be followed now');
}, DEAD);

document.addEventListener('redliner:lost', () => {
  if (byId('live').dataset.state === 'ready') lose('Connection lost');
});

// The time that is left counts, and windows that stop make a card old, although no event comes.
setInterval(() => { if (!document.hidden && rows.size) later(); }, 1000);
