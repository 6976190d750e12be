// SPDX-License-Identifier: Apache-2.0
// Live runs as they go, services by headroom, what comes next and what came of the last ones.
import {get, stream, view} from './api.js';
import {smallScale} from './capacity-scale.js';
import {now} from './clock.js';
import {ago, badge, capacity, certainty, duration, number, percent, rate, time, withUnit, words} from './format.js';
import {byId, html, show} from './html.js';
import {fillMeters, meter} from './meter.js';

const rows = new Map();

const SILENT = 2.5;

function ruleLine(run) {
  const rule = run.rule;
  if (!rule) return html`<p class="faint">No rule has a value yet.</p>`;
  const text = rule.value === undefined ? 'no data' : withUnit(rule.value, rule.unit) + ' of ' + withUnit(rule.threshold, rule.unit);
  return html`<div class="line"><span>${rule.name}</span><span>${text}${rule.judgement === 'BREACHED' ? ' – broken' : ''}</span></div>
    ${meter(rule.name + ' of its limit', rule.utilisation, text, rule.judgement === 'BREACHED')}`;
}

function harmLine(run) {
  const text = number(run.harm.requests) + (run.harm.allowed === undefined ? ' requests' : ' of ' + number(run.harm.allowed) + ' requests');
  return html`<div class="line"><span>Harm of budget</span><span>${text}</span></div>${meter('Harm of budget', run.harm.used, text, run.harm.used >= 1)}`;
}

function believed(estimate) {
  if (!estimate) return 'not known yet';
  return estimate.high ? rate(estimate.capacity) + ' (' + number(estimate.low) + ' to ' + number(estimate.high) + ')' : 'at least ' + rate(estimate.low);
}

function card(run) {
  const age = run.windowEndedAt ? (now() - new Date(run.windowEndedAt)) / 1000 : null;
  const stale = age !== null && age > run.windowSeconds + SILENT;
  return html`<div class="line"><a href="/runs/${encodeURIComponent(run.id)}"><strong>${run.service}</strong></a> ${badge(run)}</div>
    <p class="faint">${run.sut} · ${run.profile} · ${run.plan}</p>
    <dl class="facts ${stale ? 'stale' : ''}">
      <div><dt>Share asked</dt><dd>${percent(run.askedShare)}</dd></div>
      <div><dt>measured</dt><dd>${percent(run.measuredShare)}</dd></div>
      <div><dt>Load</dt><dd>${rate(run.requestsPerSecond)}</dd></div>
      <div><dt>p99</dt><dd>${duration(run.latencyP99Seconds)}</dd></div>
    </dl>
    ${stale ? html`<p class="problem">Stale: last window ended ${ago(run.windowEndedAt)}</p>` : ''}
    ${ruleLine(run)}${harmLine(run)}
    <div class="line"><span>Capacity so far</span><span>${believed(run.estimate)}</span></div>
    ${smallScale(run.estimate, run.serviceRequestsPerSecond && run.naturalShare * run.serviceRequestsPerSecond, run.requestsPerSecond)}`;
}

let order = [];

let waiting = false;

function paint() {
  waiting = false;
  const list = byId('live');
  const live = new Set(order);
  for (const [id, row] of rows) {
    if (!live.has(id)) {
      row.element.remove();
      rows.delete(id);
    }
  }
  for (const [index, id] of order.entries()) {
    const row = rows.get(id);
    if (!row) continue;
    row.element ??= Object.assign(document.createElement('li'), {className: 'card'});
    if (list.children[index] !== row.element) list.insertBefore(row.element, list.children[index] || null);
    if (row.changed) {
      // Who is on the link by keyboard stays there.
      const focused = row.element.contains(document.activeElement);
      show(row.element, card(row.run));
      fillMeters(row.element);
      if (focused) row.element.querySelector('a').focus();
      row.changed = false;
    }
  }
  byId('live-count').textContent = order.length || '';
  byId('live-empty').hidden = byId('live').dataset.state !== 'ready' || order.length > 0;
}

function later() {
  if (!waiting) {
    waiting = true;
    requestAnimationFrame(paint);
  }
}

function update(event) {
  order = event.live;
  for (const run of event.runs) {
    const row = rows.get(run.id);
    if (row) Object.assign(row, {run, changed: true});
    else rows.set(run.id, {run, changed: true, element: null});
  }
  byId('live-state').textContent = '';
  byId('live').dataset.state = 'ready';
  later();
}

document.addEventListener('redliner:kill-switch', turned => {
  document.querySelectorAll('#live-empty [data-engaged]').forEach(words => {
    words.hidden = words.dataset.engaged !== String(turned.detail.engaged);
  });
});

stream('/runs:live', {runs: update}, state => {
  if (state === 'open') return;
  byId('live').dataset.state = 'stale';
  byId('live-state').textContent = state === 'lost' ? 'Connection lost: these numbers are old. Trying again.'
    : 'Live runs cannot be followed now: these numbers are old. Trying again.';
});

// Marks runs whose windows stop as stale, although no event comes.
setInterval(() => {
  rows.forEach(row => { row.changed ||= Boolean(row.run.windowEndedAt); });
  if (!document.hidden) later();
}, 5000);

const VERDICTS = {UNDER_PROVISIONED: ['bad', 'too few instances'], UNKNOWN: ['warn', 'unknown'], OVER_PROVISIONED: ['warn', 'more than needed'], RIGHT: ['good', 'right size']};

const outcomes = new Map();

/** The newest ended run of each service: most are among the newest of all, the others are asked for one by one, once. */
async function lastOutcomes(region) {
  const {items} = await get('/runs?phase=Finished&limit=200');
  items.reverse().forEach(run => outcomes.set(run.service, run));
  for (const cell of region.querySelectorAll('[data-last-of]')) {
    const service = cell.dataset.lastOf;
    if (!outcomes.has(service)) {
      outcomes.set(service, (await get('/runs?limit=1&phase=Finished&service=' + encodeURIComponent(service))).items[0]);
    }
    show(cell, lastOutcome(service));
  }
}

function lastOutcome(service) {
  if (!outcomes.has(service)) return html`…`;
  const run = outcomes.get(service);
  return run ? html`<a href="/runs/${encodeURIComponent(run.id)}">${badge(run)}</a> <span class="faint">${ago(run.finishedAt)}</span>` : html`never tested`;
}

view('alarms', services => html`${services.items.flatMap(service => service.alarms)
  .map(alarm => html`<p class="problem"><strong>Alarm.</strong> ${alarm}</p>`)}`);

view('services', (fleet, region) => {
  if (!fleet.items.length) {
    return html`<p class="empty">No service is known: no redirector has reported one, and no capacity is recorded.</p>`;
  }
  setTimeout(() => lastOutcomes(region).catch(() => { /* The next time. */ }));
  return html`<table>
    <caption class="visually-hidden">Services, those with too few instances first</caption>
    <thead><tr><th scope="col">Service</th><th scope="col">Fleet</th><th scope="col">Free at the peak</th><th scope="col">Instances</th><th scope="col">Capacity known</th><th scope="col">Last run</th></tr></thead>
    <tbody>${fleet.items.map(item => {
      const [tone, text] = VERDICTS[item.verdict] || ['warn', words(item.verdict)];
      const newest = item.capacities.map(one => one.recordedAt).sort().at(-1);
      return html`<tr>
        <th scope="row"><a href="/services/${encodeURIComponent(item.service)}">${item.service}</a></th>
        <td data-label="Fleet"><span class="badge ${tone}" title="${item.reason}">${text}</span></td>
        <td data-label="Free at the peak">${item.free === undefined ? 'unknown' : html`<span class="${item.free < 0 ? 'bad' : ''}">${percent(item.free)}</span>`}</td>
        <td data-label="Instances">${item.instances}${item.needed === undefined ? '' : ' of ' + item.needed + ' needed'}</td>
        <td data-label="Capacity known">${newest ? html`<span title="${newest}">${ago(newest)}</span>${item.stale ? html` <span class="badge warn">stale</span>` : ''}${certainty(item.capacities)}` : 'no'}</td>
        <td data-label="Last run" data-last-of="${item.service}">${lastOutcome(item.service)}</td>
      </tr>`;
    })}</tbody></table>`;
});

view('next', page => {
  const next = page.items.filter(one => one.nextFiring).sort((one, other) => one.nextFiring.localeCompare(other.nextFiring)).slice(0, 8);
  if (!next.length) return html`<p class="empty">Nothing is scheduled. A plan's <code>schedule</code> says when it starts by itself.</p>`;
  return html`<ul class="list">${next.map(one => html`<li class="line">
    <span><a href="/plans/${encodeURIComponent(one.plan)}">${one.plan}</a> <span class="faint">${one.service}</span></span>
    <span>${time(one.nextFiring)} <span class="faint">${ago(one.nextFiring)}</span></span></li>`)}</ul>`;
});

view('latest', page => {
  if (!page.items.length) return html`<p class="empty">No run has ended yet.</p>`;
  return html`<ul class="list">${page.items.map(run => html`<li class="line">
    <span><a href="/runs/${encodeURIComponent(run.id)}">${run.service}</a> ${badge(run)}</span>
    <span>${run.result ? html`${capacity(run.result)} ${smallScale(run.result)}` : html`<span class="faint">${run.stopReason ? run.stopReason.detail : ''}</span>`}</span>
    <span class="faint">${time(run.finishedAt)}</span></li>`)}</ul>`;
});
