// SPDX-License-Identifier: Apache-2.0
// When plans start by themselves: a month of firings and freezes, schedules with their last firing, calendars.
import {get, polled, send, view} from './api.js';
import {clock, month, monthText, plusDays, weeks} from './dates.js';
import {ago, time, utc, words} from './format.js';
import {byId, html} from './html.js';
import {ask} from './shell.js';

const SHOWN = 4;

const address = () => new URLSearchParams(location.search);

const concerns = (freeze, service) => !freeze.service || freeze.service === service;

const covers = (freeze, due) => freeze.from <= due.due && due.due < freeze.to && concerns(freeze, due.service);

/** Firings of one plan on one day are one line. */
function lines(firings, freezes) {
  const plans = new Map();
  for (const due of firings) {
    if (!plans.has(due.plan)) plans.set(due.plan, []);
    plans.get(due.plan).push(due);
  }
  return [...plans].map(([plan, dues]) => {
    const held = dues.filter(due => freezes.some(freeze => covers(freeze, due))).length;
    const times = dues.length === 1 ? clock(dues[0].due) : `${dues.length} times from ${clock(dues[0].due)}`;
    return html`<li class="${held === dues.length ? 'held' : ''}"><time datetime="${dues[0].due}" title="${utc(dues[0].due)}">${times}</time>
      <a href="/plans/${encodeURIComponent(plan)}">${plan}</a>${held ? html` <span class="warn">${held === dues.length ? 'frozen' : held + ' frozen'}</span>` : ''}</li>`;
  });
}

/** What a calendar keeps from starting: of one plan on one day one line. */
function blockedLines(blocked) {
  const kinds = new Map();
  for (const one of blocked) {
    const key = one.plan + ' ' + one.by;
    kinds.set(key, [...kinds.get(key) || [], one]);
  }
  return [...kinds.values()].map(([first, ...others]) => html`<li class="held"><time datetime="${first.due}" title="${utc(first.due)}">${others.length ? `${others.length + 1} times from ${clock(first.due)}` : clock(first.due)}</time>
    <a href="/plans/${encodeURIComponent(first.plan)}">${first.plan}</a> <span class="warn">blocked by <bdi>${first.by}</bdi></span></li>`);
}

function frozen(freeze, day) {
  const [from, to] = [new Date(freeze.from), new Date(freeze.to)];
  const begins = from >= day ? ' from ' + clock(from) : '';
  const ends = to < plusDays(day, 1) ? ' to ' + clock(to) : '';
  return html`<li class="frozen"><strong>Freeze</strong>${begins}${ends}: ${freeze.service || 'all services'}, ${freeze.reason}</li>`;
}

function cell(day, first, upcoming, freezes) {
  const next = plusDays(day, 1);
  const today = plusDays(new Date(), 0).getTime() === day.getTime();
  const own = upcoming.items.filter(due => new Date(due.due) >= day && new Date(due.due) < next);
  const blocked = (upcoming.blocked || []).filter(due => new Date(due.due) >= day && new Date(due.due) < next);
  const ice = freezes.filter(freeze => new Date(freeze.from) < next && new Date(freeze.to) > day);
  const all = [...ice.map(freeze => frozen(freeze, day)), ...lines(own, freezes), ...blockedLines(blocked)];
  const unknown = !upcoming.complete && next > new Date(upcoming.to) && day.getMonth() === first.getMonth();
  const cut = upcoming.blocked && new Date(upcoming.blockedTo) < new Date(upcoming.to) && next > new Date(upcoming.blockedTo) && next > new Date() && day.getMonth() === first.getMonth();
  const kind = [today ? 'today' : '', next <= new Date() ? 'past' : '', day.getMonth() === first.getMonth() ? '' : 'other', all.length || unknown || cut ? '' : 'empty'].join(' ');
  return html`<td class="${kind}"${today ? html` aria-current="date"` : ''}><time class="day" datetime="${monthText(day)}-${String(day.getDate()).padStart(2, '0')}"><span class="short">${day.getDate()}</span><span class="long">${
    day.toLocaleDateString(undefined, {weekday: 'long', day: 'numeric', month: 'long'})}</span>${today ? ' today' : ''}</time>
    ${all.length ? html`<ul>${all.slice(0, SHOWN)}</ul>` : ''}
    ${all.length > SHOWN ? html`<details><summary>${all.length - SHOWN} more</summary><ul>${all.slice(SHOWN)}</ul></details>` : ''}
    ${unknown ? html`<span class="faint">more than can be shown</span>` : cut ? html`<span class="faint">what is blocked here cannot be shown</span>` : ''}</td>`;
}

const lookAtMonth = polled(byId('month'), async signal => {
  const first = month(address().get('month'));
  const service = address().get('service');
  const grid = weeks(first);
  const end = plusDays(grid.at(-1)[6], 1);
  const now = new Date();
  const last = new Date(now.getTime() + 399 * 86400e3);
  const to = end < last ? end : last;
  byId('month-title').textContent = first.toLocaleDateString(undefined, {month: 'long', year: 'numeric'});
  byId('month-before').disabled = first <= now;
  byId('month-after').disabled = plusDays(first, 32) > last;
  const [upcoming, freezes] = await Promise.all([
    end > now ? get(`/schedules:upcoming?limit=5000&blocked=true&to=${to.toISOString()}${service ? '&service=' + encodeURIComponent(service) : ''}`, signal) : {items: [], complete: true},
    get('/freezes', signal)]);
  const wanted = freezes.items.filter(freeze => !service || concerns(freeze, service));
  const monday = grid[0];
  const shown = [...upcoming.items, ...upcoming.blocked || []].filter(due => new Date(due.due) >= grid[0][0]).length;
  return html`${shown || wanted.some(freeze => new Date(freeze.from) < end && new Date(freeze.to) > grid[0][0]) ? '' : html`<p class="empty">Nothing starts by the clock in this month${service ? ` for ${service}` : ''}, and nothing is frozen.</p>`}
    <table class="month"><caption class="visually-hidden">Firings that are ahead, and freezes, by day in your zone</caption>
    <thead><tr>${monday.map(day => html`<th scope="col"><abbr title="${day.toLocaleDateString(undefined, {weekday: 'long'})}">${day.toLocaleDateString(undefined, {weekday: 'short'})}</abbr></th>`)}</tr></thead>
    <tbody>${grid.map(week => html`<tr>${week.map(day => cell(day, first, upcoming, wanted))}</tr>`)}</tbody></table>`;
}, 60);

function go(search) {
  history.pushState(null, '', '?' + search);
  lookAtMonth();
}

function turn(count) {
  const first = month(address().get('month'));
  const search = address();
  search.set('month', monthText(new Date(first.getFullYear(), first.getMonth() + count, 1)));
  go(search);
}

byId('month-before').addEventListener('click', () => turn(-1));
byId('month-after').addEventListener('click', () => turn(1));
byId('month-now').addEventListener('click', () => {
  const search = address();
  search.delete('month');
  go(search);
});

function firing(one) {
  if (!one) return 'never';
  const page = one.run ? one.run.replace('/api/v1', '') : null;
  const tone = one.state === 'Started' ? 'good' : one.state === 'Waiting' ? '' : 'warn';
  return html`${time(one.due)} <span class="badge ${tone}">${words(one.state)}</span>
    ${page ? html` <a href="${page}">what became of it</a>` : ''}${one.reason ? html` <span class="faint">${one.reason}</span>` : ''}`;
}

/** Cron names hours of a clock, and an interval none. */
const zone = one => one.timing.startsWith('cron') ? ' ' + one.zone : '';

function row(one) {
  return html`<tr><th scope="row"><a href="/plans/${encodeURIComponent(one.plan)}">${one.plan}</a></th>
    <td data-label="Service"><a href="/services/${encodeURIComponent(one.service)}">${one.service}</a></td>
    <td data-label="When">${one.timing ? html`<code>${one.timing}</code>${zone(one)}` : ''}${one.onDeployment ? ' on deployment' : ''}${one.calendars.length ? html` <span class="faint">except ${one.calendars.join(', ')}</span>` : ''}</td>
    <td data-label="Next">${one.paused ? html`<span class="badge warn">paused</span> ${time(one.pausedAt)}: ${one.pauseReason}` : one.nextFiring ? html`${time(one.nextFiring)} <span class="faint">${ago(one.nextFiring)}</span>` : 'nothing by the clock'}</td>
    <td data-label="Last">${firing(one.lastFiring)}</td>
    <td><button type="button" data-needs="operator" data-plan="${one.plan}" data-do="${one.paused ? 'resume' : 'pause'}" aria-label="${one.paused ? 'Resume' : 'Pause'} ${one.plan}">${one.paused ? 'Resume' : 'Pause'}</button></td></tr>`;
}

let pages = 1;

const lookAtSchedules = polled(byId('schedules'), async signal => {
  const service = address().get('service');
  const items = [];
  let token;
  for (let page = 0; page < pages && (page === 0 || token); page++) {
    const answer = await get(`/schedules?limit=100${service ? '&service=' + encodeURIComponent(service) : ''}${token ? '&pageToken=' + encodeURIComponent(token) : ''}`, signal);
    items.push(...answer.items);
    token = answer.nextPageToken;
  }
  if (!items.length) return html`<p class="empty">${service ? `No plan of ${service} has a schedule.` : html`No plan has a schedule. A plan's section <code>schedule</code> says when it starts by itself.`}</p>`;
  return html`<table><caption class="visually-hidden">Schedules by plan</caption>
    <thead><tr><th scope="col">Plan</th><th scope="col">Service</th><th scope="col">When</th><th scope="col">Next</th><th scope="col">Last</th><th scope="col">Change</th></tr></thead>
    <tbody>${items.map(row)}</tbody></table>${token ? html`<button type="button" data-more>More schedules</button>` : ''}`;
}, 15);

byId('schedules').addEventListener('click', async clicked => {
  const button = clicked.target.closest('button');
  if (!button) return;
  if (button.hasAttribute('data-more')) {
    pages++;
    lookAtSchedules();
    return;
  }
  const {plan} = button.dataset;
  const pause = button.dataset.do === 'pause';
  const done = await ask({
    title: `${pause ? 'Pause' : 'Resume'} the schedule of ${plan}?`, action: pause ? 'Pause' : 'Resume',
    words: pause ? 'It starts nothing until it is resumed. What is live goes on.' : 'It goes on with its next firing; what was left out is not made up for.',
    act: reason => send('POST', `/schedules/${encodeURIComponent(plan)}:${button.dataset.do}`, {reason}),
  });
  if (done) {
    lookAtSchedules();
    lookAtMonth();
  }
});

byId('filter').addEventListener('submit', submitted => {
  submitted.preventDefault();
  const search = address();
  const service = byId('filter-service').value.trim();
  if (service) search.set('service', service);
  else search.delete('service');
  go(search);
  lookAtSchedules();
});

// At first, what was typed before this script was there stays.
function begin(first = false) {
  byId('filter-service').value = (first && byId('filter-service').value) || address().get('service') || '';
}

addEventListener('popstate', () => {
  begin();
  lookAtMonth();
  lookAtSchedules();
});
document.addEventListener('redliner:freezes', lookAtMonth);
begin(true);

view('calendars', page => page.items.length ? html`<ul class="list">${page.items.map(one => html`<li class="line"><strong>${one.name}</strong>
  <span class="faint">${one.source}</span> <span>changed ${time(one.updatedAt)}</span>${one.warnings ? html` <span>${one.busyEvents} busy, ${one.freeEvents} free</span>
  ${one.warnings.map(warning => html`<p class="warn">${warning}</p>`)}` : ''}</li>`)}</ul>`
  : html`<p class="empty">No calendar is imported. <code>PUT /api/v1/calendars/NAME</code> takes an iCalendar text; the plan folder may hold them, too.</p>`);
