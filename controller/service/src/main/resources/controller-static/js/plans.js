// SPDX-License-Identifier: Apache-2.0
// All plans by name, with what they test and when; and what became of the watched folder.
import {get, polled, view} from './api.js';
import {ago, time} from './format.js';
import {byId, html} from './html.js';

const MOST_PAGES = 50;

/** All pages of a list. */
async function all(path, signal) {
  const items = [];
  let token = '';
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await get(`${path}?limit=200${token}`, signal);
    items.push(...answer.items);
    if (!answer.nextPageToken) break;
    token = '&pageToken=' + encodeURIComponent(answer.nextPageToken);
  }
  return items;
}

let found = '';

function row(stored, schedule) {
  const spec = stored.plan.spec;
  return html`<tr><th scope="row"><a href="/plans/${encodeURIComponent(stored.name)}">${stored.name}</a></th>
    <td data-label="Service"><a href="/services/${encodeURIComponent(spec.service)}">${spec.service}</a></td>
    <td data-label="Profile">${spec.profile}</td>
    <td data-label="Schedule">${schedule ? html`${schedule.timing || ''}${schedule.timing?.startsWith('cron') ? ' ' + schedule.zone : ''}${schedule.onDeployment ? ' on deployment' : ''}
      ${schedule.paused ? html`<span class="badge warn">paused</span>` : schedule.nextFiring ? html`<span class="faint">next ${ago(schedule.nextFiring)}</span>` : ''}` : 'none'}</td>
    <td data-label="Version">${stored.version}</td>
    <td data-label="Changed">${time(stored.updatedAt)}</td>
    <td data-label="From">${stored.source}${stored.file ? html` <code>${stored.file}</code>` : ''}</td></tr>`;
}

const look = polled(byId('plans'), async signal => {
  const [plans, schedules] = await Promise.all([all('/plans', signal), all('/schedules', signal)]);
  const byPlan = new Map(schedules.map(one => [one.plan, one]));
  if (!plans.length) return html`<p class="empty">There is no plan yet. A plan says what is tested, by which rules and within which limits. <a href="/plans:new">Write the first one</a></p>`;
  const shown = plans.filter(one => `${one.name} ${one.plan.spec.service} ${one.plan.spec.profile}`.toLowerCase().includes(found));
  if (!shown.length) return html`<p class="empty">None of the ${plans.length} plans fits.</p>`;
  return html`<table><caption class="visually-hidden">Plans by name</caption>
    <thead><tr><th scope="col">Name</th><th scope="col">Service</th><th scope="col">Profile</th><th scope="col">Schedule</th><th scope="col">Version</th><th scope="col">Changed</th><th scope="col">From</th></tr></thead>
    <tbody>${shown.map(one => row(one, byPlan.get(one.name)))}</tbody></table>`;
}, 15);

let asking;

function begin() {
  // What was typed before this script was there stays, and is looked for.
  byId('filter-text').value ||= new URLSearchParams(location.search).get('q') || '';
  found = byId('filter-text').value.toLowerCase();
}

byId('filter').addEventListener('input', () => {
  found = byId('filter-text').value.trim().toLowerCase();
  history.replaceState(null, '', found ? '?q=' + encodeURIComponent(byId('filter-text').value.trim()) : location.pathname);
  clearTimeout(asking);
  asking = setTimeout(look, 200);
});
byId('filter').addEventListener('submit', submitted => submitted.preventDefault());

begin();

view('folder', status => {
  if (!status.folder) return html`<p class="faint">No folder is watched.</p>`;
  return html`<p><code>${status.folder}</code>: ${status.plans} plans, ${status.calendars} calendars${status.appliedAt ? html`, taken over ${time(status.appliedAt)}` : ''}.</p>
    ${status.problems.length ? html`<p class="problem">What it says now is not taken over:</p><ul>${status.problems.map(one =>
      html`<li><code>${one.file}:${one.line}:${one.column}</code> ${one.message}</li>`)}</ul>` : ''}
    ${status.warnings.length ? html`<p class="warn">It is taken over, but:</p><ul>${status.warnings.map(one => html`<li><code>${one.file}</code> ${one.message}</li>`)}</ul>` : ''}`;
});
