// SPDX-License-Identifier: Apache-2.0
// A service: who and what it is, its capacity over time and versions, what was deployed, its runs.
import {get, getIfAny, polled} from './api.js';
import {smallScale} from './capacity-scale.js';
import {ago, badge, capacity, duration, number, percent, rate, roughly, time} from './format.js';
import {byId, html, showChanged} from './html.js';
import {CapacityChart} from './service-chart.js';
import {details} from './service-details.js';

const service = document.body.dataset.subject;

const name = encodeURIComponent(service);

function budgetLine(budget) {
  if (!budget) return html`no budget is set`;
  return html`${number(budget.harmedThisMonth)} of ${number(budget.requestsPerMonth)} requests
    ${budget.left <= 0 ? html`<span class="badge bad">spent</span>` : html`<span class="faint">(${number(budget.left)} left)</span>`}`;
}

function facts(known, team, budget) {
  return html`<dl class="facts">
    <div><dt>Reported by redirectors</dt><dd>${known ? known.fresh ? 'yes' : html`<span class="badge warn">stale</span> last ${ago(known.lastSeen)}` : 'no'}</dd></div>
    ${known ? html`<div><dt>Instances</dt><dd>${known.instances.length}</dd></div>
    <div><dt>Proxies connected</dt><dd>${known.proxiesConnected}</dd></div>` : ''}
    <div><dt>Live run</dt><dd>${known && known.liveRun ? html`<a href="/runs/${encodeURIComponent(known.liveRun)}">being tested now</a>` : 'none'}</dd></div>
    <div><dt>Owner</dt><dd>${team ? html`<bdi>${team}</bdi>` : 'any operator'}</dd></div>
    <div><dt>Harm by tests this month</dt><dd>${budgetLine(budget)}</dd></div></dl>`;
}

polled(byId('head'), async () => {
  const {reported, team, harmBudget, tested} = await details() || {};
  const known = Boolean(reported || tested);
  document.body.dataset.known = String(known);
  return html`${known ? '' : html`<p class="empty">Nobody knows a service of this name: no redirector reports it,
    and no capacity of it is recorded. <a href="/services">All services</a></p>`}${facts(reported, team, harmBudget)}`;
}, 10);

const filter = byId('filter');

const FILTERS = ['instance', 'version', 'hardware', 'since'];

function asked() {
  const address = new URLSearchParams(location.search);
  const wanted = new URLSearchParams();
  for (const field of FILTERS) {
    const value = address.get(field);
    if (value) wanted.set(field, field === 'since' && value.length === 10 ? new Date(value + 'T00:00').toISOString() : value);
  }
  return wanted;
}

function change(previous) {
  const interval = previous.changeLowPercent === undefined ? ''
    : `, 95 % interval ${number(previous.changeLowPercent)} to ${number(previous.changeHighPercent)} %`;
  return `${previous.changePercent > 0 ? '+' : ''}${number(previous.changePercent)} %${interval}`;
}

function fallen(item, newest) {
  const before = item.previous;
  const versions = before.version || item.version ? html`, ${before.version || 'version unknown'} → ${item.version || 'version unknown'}` : '';
  return html`<li class="${newest ? '' : 'old'}">${newest ? html`<strong>Regression:</strong> ` : 'Fell before: '}${item.instance}${versions}:
    ${rate(before.capacity)} → <a href="/runs/${encodeURIComponent(item.runId)}?compare=${encodeURIComponent(before.runId)}">${rate(item.capacity)}</a>
    (${change(before)}), ${time(item.recordedAt)}</li>`;
}

function worse(series) {
  return html`<li><strong>Worse:</strong> <a href="/series/${encodeURIComponent(series.id)}">${series.plan}</a>: ${series.result.words} <span class="faint">${ago(series.createdAt)}</span></li>`;
}

const SIGNIFICANCE = {RISE: 'rose', FALL: 'fell', NOT_SIGNIFICANT: 'no significant difference', UNKNOWN: 'unknown'};

function row(item) {
  return html`<tr><th scope="row"><a href="/runs/${encodeURIComponent(item.runId)}">${time(item.recordedAt)}</a></th>
    <td data-label="Instance">${item.instance}</td><td data-label="Version">${item.version || '–'}</td>
    <td data-label="Hardware">${item.hardware || '–'}</td><td data-label="Capacity (95 %)">${capacity(item)}</td>
    <td data-label="Limited by">${item.limitingRule}</td>
    <td data-label="Change">${item.previous ? html`${change(item.previous)} <span class="badge ${item.previous.significance === 'FALL' ? 'bad' : item.previous.significance === 'RISE' ? 'good' : ''}">${SIGNIFICANCE[item.previous.significance]}</span>` : 'first'}</td></tr>`;
}

function table(history) {
  return html`<details><summary>As a table (${history.items.length}${history.nextPageToken ? ' newest' : ''})</summary><table>
    <caption class="visually-hidden">Capacities, newest first</caption>
    <thead><tr><th scope="col">Found</th><th scope="col">Instance</th><th scope="col">Version</th><th scope="col">Hardware</th><th scope="col">Capacity (95 %)</th><th scope="col">Limited by</th><th scope="col">Change</th></tr></thead>
    <tbody>${history.items.map(row)}</tbody></table></details>`;
}

function trendWords(trend) {
  if (!trend) return '';
  const slope = trend.slopePer30Days === undefined ? ''
    : `: ${trend.slopePer30Days > 0 ? '+' : ''}${number(trend.slopePer30Days)} req/s in 30 days`
      + (trend.lowPer30Days === undefined ? '' : ` (95 % interval ${number(trend.lowPer30Days)} to ${number(trend.highPer30Days)})`);
  return html`<p>Trend: ${trend.explanation}${slope && `${slope}, from ${trend.points} capacities`}.</p>`;
}

/** The newest answer as a picture: interval, what held and what broke. */
const newest = found => html`<p><strong>${capacity({...found, certainty: null})}</strong>${found.certainty && found.certainty.words ? html` <span class="warn">${found.certainty.words}</span>` : ''} <span class="faint">found ${time(found.recordedAt)}, ${roughly(found.recordedAt)}, on <bdi>${found.instance}</bdi></span></p>${smallScale(found)}`;

/** The newest of each instance that fell is a regression; older falls were. */
function flags(items, series) {
  const seen = new Set();
  const now = [];
  const before = [];
  for (const item of items) {
    const newest = !seen.has(item.instance);
    seen.add(item.instance);
    if (item.previous && item.previous.significance === 'FALL') (newest ? now : before).push(fallen(item, newest));
  }
  const bad = series.items.filter(one => one.service === service && one.result.verdict === 'WORSE').slice(0, 3).map(worse);
  if (!now.length && !bad.length && !before.length) {
    return items.some(item => item.previous)
      ? html`<p>No regression: no instance's newest capacity is significantly below its one before.</p>`
      : html`<p>Nothing to compare yet: no instance has two capacities.</p>`;
  }
  return html`<ul class="flags" aria-label="Regressions">${bad}${now}${before.slice(0, 5)}</ul>`;
}

const chart = new CapacityChart(byId('chart'));

const lookAtCapacities = polled(byId('capacity'), async signal => {
  const wanted = asked();
  const over = new URLSearchParams(location.search).get('over');
  const [history, deployments, series] = await Promise.all([get(`/capacities/${name}/history?limit=1000&${wanted}`, signal),
    get(`/services/${name}/deployments?limit=200`, signal), get('/series?limit=200', signal)]);
  const any = history.items.length > 0;
  byId('chart').hidden = !any;
  if (!any) {
    chart.clear();
    showChanged(byId('newest'), html``);
    return html`<p class="empty">${[...wanted].length ? 'No capacity is recorded that fits.' : 'No capacity is recorded yet. A run that ends with one puts it here.'}</p>`;
  }
  const since = wanted.get('since') || history.items.at(-1).recordedAt;
  chart.show(history.items, deployments.items.filter(one => one.at >= since), over === 'version');
  byId('chart').setAttribute('aria-label', `Capacity of ${service} over ${over === 'version' ? 'versions' : 'time'}: ${history.items.length} capacities, the newest `
    + `${capacity(history.items[0])}; the table below says the same.`);
  const trend = await getIfAny(`/capacities/${name}/trend?${wanted}`, signal);
  showChanged(byId('newest'), newest(history.items[0]));
  return html`${flags(history.items, series)}${trendWords(trend)}${table(history)}`;
}, 30);

function begin() {
  const address = new URLSearchParams(location.search);
  for (const field of ['over', ...FILTERS]) filter.elements[field].value = (address.get(field) || '').slice(0, field === 'since' ? 10 : undefined);
}

filter.addEventListener('submit', submitted => {
  submitted.preventDefault();
  const wanted = new URLSearchParams([...new FormData(filter)].filter(([, value]) => value));
  history.pushState(null, '', '?' + wanted);
  lookAtCapacities();
});

byId('filter-over').addEventListener('change', () => filter.requestSubmit());

addEventListener('popstate', () => {
  begin();
  lookAtCapacities();
});

begin();

polled(byId('deployments'), async signal => {
  const page = await get(`/services/${name}/deployments?limit=20`, signal);
  if (!page.items.length) return html`<p class="empty">No deployment was reported. CI reports one with <code>POST /api/v1/events/deployments</code>.</p>`;
  return html`<ul class="list">${page.items.map(one => html`<li class="line"><strong>${one.version}</strong>
    <span class="faint">${one.instances.length ? one.instances.join(', ') : 'all instances'}</span> <span>${time(one.at)}</span></li>`)}</ul>`;
}, 30);

const chosen = new Set();

function runRow(run) {
  const seconds = run.finishedAt ? (new Date(run.finishedAt) - new Date(run.submittedAt)) / 1000 : undefined;
  return html`<tr><td><label><input type="checkbox" name="run" value="${run.id}" ${chosen.has(run.id) ? html`checked` : ''}>
      <span class="visually-hidden">Compare the run of ${new Date(run.submittedAt).toLocaleString()}</span></label></td>
    <th scope="row"><a href="/runs/${encodeURIComponent(run.id)}">${time(run.submittedAt)}</a></th>
    <td data-label="Instance">${run.sut}</td><td data-label="Profile">${run.profile}</td><td data-label="State">${badge(run)}</td>
    <td data-label="Answer">${run.result ? capacity(run.result) : run.stopReason ? run.stopReason.detail : ''}</td>
    <td data-label="Took">${duration(seconds)}</td><td data-label="Harm">${run.harm.used === undefined ? number(run.harm.requests) : percent(run.harm.used)}</td></tr>`;
}

polled(byId('runs'), async signal => {
  const page = await get(`/runs?limit=20&service=${name}`, signal);
  byId('compare').querySelector('.actions').hidden = page.items.length < 2;
  if (!page.items.length) return html`<p class="empty">It was never tested. Start a run from a <a href="/plans">plan</a>.</p>`;
  return html`<table><caption class="visually-hidden">Runs, newest first</caption>
    <thead><tr><th scope="col">Compare</th><th scope="col">Submitted</th><th scope="col">Instance</th><th scope="col">Profile</th><th scope="col">State</th><th scope="col">Answer</th><th scope="col">Took</th><th scope="col">Harm of budget</th></tr></thead>
    <tbody>${page.items.map(runRow)}</tbody></table>`;
}, 10);

function choice() {
  byId('compare-do').disabled = chosen.size !== 2;
  byId('compare-help').textContent = chosen.size === 2 ? '' : chosen.size > 2 ? 'Choose two runs, not more.' : 'Choose two runs.';
}

byId('compare').addEventListener('change', changed => {
  if (changed.target.checked) chosen.add(changed.target.value);
  else chosen.delete(changed.target.value);
  choice();
});

byId('compare').addEventListener('submit', submitted => {
  submitted.preventDefault();
  const [newer, older] = [...byId('runs').querySelectorAll('[name=run]:checked')].map(one => one.value);
  if (newer && older) location.assign(`/runs/${encodeURIComponent(newer)}?compare=${encodeURIComponent(older)}`);
});
choice();
