// SPDX-License-Identifier: Apache-2.0
// The wall board: live runs, services by headroom, the last 24 hours, what comes next and what came of the last runs.
import './activity.js';
import {view} from './api.js';
import {smallScale} from './capacity-scale.js';
import {ago, badge, capacity, number, time} from './format.js';
import {byId, html} from './html.js';
import './live-cards.js';
import {servicesTable} from './services-table.js';
import {isTakenOff} from './unproven.js';

view('alarms', services => html`${services.items.flatMap(service => service.alarms).filter(alarm => !isTakenOff(alarm))
  .map(alarm => html`<p class="problem"><strong>Alarm.</strong> ${alarm}</p>`)}`);

view('services', fleet => {
  if (!fleet.items.length) return html`<p class="empty">No service is known: no redirector has reported one, and no capacity is recorded.</p>`;
  return html`${servicesTable(fleet)}${fleet.services > fleet.items.length ? html`<p><a href="/services">All ${number(fleet.services)} services</a></p>` : ''}`;
});

view('next', ({items}) => {
  if (!items.length) return html`<p class="empty">Nothing is scheduled. A plan's <code>schedule</code> says when it starts by itself.</p>`;
  return html`<ul class="list">${items.map(one => html`<li class="line">
    <span><a href="/plans/${encodeURIComponent(one.plan)}"><bdi>${one.plan}</bdi></a> <span class="faint"><bdi>${one.service}</bdi></span></span>
    <span>${time(one.due)} <span class="faint">${ago(one.due)}</span></span></li>`)}</ul>`;
});

/** Runs that are over and that are live; undefined while they are not known. */
const runs = {};

/** Says what to do first while there was no run, and none is live. */
function guide(seen) {
  Object.assign(runs, seen);
  byId('first').hidden = runs.over !== 0 || runs.live !== 0;
}

document.addEventListener('redliner:live', seen => guide({live: seen.detail}));

view('latest', page => {
  guide({over: page.items.length});
  if (!page.items.length) return html`<p class="empty">No run has ended yet.</p>`;
  return html`<ul class="list results">${page.items.map(run => html`<li>
    <span><a href="/runs/${encodeURIComponent(run.id)}"><bdi>${run.service}</bdi></a> ${badge(run)}</span>
    ${run.result ? html`<span>${capacity(run.result)}</span> ${smallScale(run.result)}` : html`<span class="faint why-none">${run.stopReason ? run.stopReason.detail : ''}</span>`}
    <span class="faint when">${time(run.finishedAt)}</span></li>`)}</ul>`;
});
