// SPDX-License-Identifier: Apache-2.0
// A run in words and tables.
import {broke} from './capacity-scale.js';
import {byImportance, gaugeText} from './chart-panels.js';
import {ago, badge, capacity, duration, number, percent, rate, time, utc, withUnit, words} from './format.js';
import {html, known} from './html.js';
import {meter} from './meter.js';
import {lasting, latencyRule} from './rundata.js';

const GOING_ON = {
  Pending: 'It waits to begin', Preparing: 'The layout is being established at the natural share', Baseline: 'It is being measured at its natural share',
  Ramping: 'The limit is being looked for', Confirming: 'The answer is being confirmed', Paused: 'It is paused, and traffic is going back to natural',
  Restoring: 'Traffic is being restored', Finished: 'It is over',
};

/** Where a run is that goes on; of a paused one also whether traffic is natural, and when its limit ends it. */
const goingOn = run => run.phase === 'Paused' && run.pause ? html`<span class="${run.pause.traffic === 'NOT_NATURAL' ? 'bad' : ''}">${run.pause.detail}</span>` : GOING_ON[run.phase] + '.';

function believed(estimate, conditions) {
  if (!estimate) return 'Nothing is known of the capacity yet.';
  return estimate.high ? html`So far the capacity is believed to be <strong>${rate(estimate.capacity)}</strong>, between ${number(estimate.low)} and ${number(estimate.high)}.`
    : html`So far at least <strong>${rate(estimate.low)}</strong> ${estimate.low === 1 ? 'holds' : 'hold'}; ${conditions.some(one => one.type === 'ThresholdBreached' && one.status === 'True') ? 'windows have broken the SLA, and the limit is not known yet' : 'nothing has broken the SLA yet'}.`;
}

function limitOf(run, window) {
  const {limitingRule, limitingValue, limitingThreshold} = run.result;
  const rule = window && window.rules.find(one => one.name === limitingRule);
  const unit = rule ? rule.unit : '';
  return known(limitingValue) && known(limitingThreshold) ? ' (' + withUnit(limitingValue, unit) + ' against ' + withUnit(limitingThreshold, unit) + ')' : '';
}

function conclusion(run, window) {
  if (run.result) {
    const limit = run.result.limitingRule;
    const {certainty} = run.result;
    return html`<p class="number">${capacity({...run.result, certainty: null})}</p>
      ${certainty && certainty.words ? html`<p class="certainty warn">${certainty.words}.</p>` : ''}
      <p>${run.result.lowerBound ? html`<strong>${run.sut}</strong> holds at least that: the traffic or the share cap ended before the SLA did.`
    : html`is what <strong>${run.sut}</strong> holds within its SLA; 95 % interval in brackets.`}
      ${limit ? html` Limited by <strong>${limit}</strong>${limitOf(run, window)}.` : ''}
      ${run.previous ? html` That is ${run.previous.change >= 0 ? '+' : ''}${percent(run.previous.change)} against <a href="/runs/${encodeURIComponent(run.previous.runId)}">the run before</a>.` : ''}</p>`;
  }
  return html`<p class="number">${run.headline || words(run.outcome)}</p>
    <p>${run.stopReason ? run.stopReason.detail : ''}</p>
    ${run.report && run.report.words ? html`<p>${run.report.words}</p>` : ''}`;
}

/** Two counters: what the test did to users, and what would have happened anyway. */
function harm(run, window) {
  const {requests, allowed, used, anyway} = run.harm;
  if (!requests && !window) return html`<p class="warn">No window was judged, so nothing is known of users.</p>`;
  return html`<dl class="facts counters">
    <div><dt>Harm by the test</dt><dd><strong class="${!requests ? 'good' : used >= 1 ? 'bad' : 'warn'}">${number(requests)}</strong> requests${known(used) ? html`, ${percent(used)} of the ${number(allowed)} that the budget allows` : ''}</dd></div>
    <div><dt>Harm anyway</dt><dd><strong>${known(anyway) ? number(anyway) : 'unknown'}</strong> requests would have broken the SLA in any case</dd></div></dl>`;
}

/** The answer first: what is tested, what is known, whether users are hurt. */
export function answer(run, window) {
  const estimate = window && window.estimate;
  const over = run.phase === 'Finished';
  return html`<p>${badge(run)} ${run.profile} of <strong>${run.sut}</strong> of <a href="/services/${encodeURIComponent(run.service)}">${run.service}</a>,
      plan <a href="/plans/${encodeURIComponent(run.plan)}">${run.plan}</a>, submitted ${time(run.submittedAt)}${over ? html`, took ${duration((new Date(run.finishedAt) - new Date(run.submittedAt)) / 1000)}` : ''}.</p>
    ${over ? conclusion(run, window) : html`<p class="lead">${goingOn(run)} ${run.profile === 'capacity' || estimate ? believed(estimate, run.conditions) : ''}${run.report && run.report.words ? ' ' + run.report.words : ''}</p>
      ${run.stopReason ? html`<p>It ends: ${run.stopReason.detail}</p>` : ''}`}
    ${harm(run, window)}
    ${run.choice ? html`<p class="faint">${run.choice.why}</p>` : ''}${(run.notes || []).map(note => html`<p class="faint">Note: ${note}.</p>`)}`;
}

/** The newest numbers, beside those of the peers. */
export function now(run, window) {
  if (!window) return html`<p class="faint">No window was judged yet.</p>`;
  const rule = latencyRule(window.rules);
  const facts = [
    ['Share asked', percent(run.askedShare)], ['Share measured', percent(window.shareMeasured)], ['Load', rate(window.requestsPerSecond)],
    ...(known(rule.threshold) ? [[rule.name, html`<span class="${rule.judgement === 'BREACHED' ? 'bad' : ''}">${known(rule.value) ? duration(rule.value) : 'unknown'} of ${duration(rule.threshold)}</span>`]] : []),
    ['p99', duration(window.latencyP99Seconds)], ['p50', duration(window.latencyP50Seconds)],
    ['Errors', window.completed ? percent(window.errors / window.completed) : '–'], ['In flight', number(window.inFlight)],
    ...byImportance(lasting(window.gauges)).slice(0, 4).map(gauge => [gauge.name, gaugeText(gauge)]),
    ['Peers, load', rate(window.peers.requestsPerSecond)], ['Peers, p99', duration(window.peers.latencyP99Seconds)],
  ];
  return html`${run.phase === 'Finished' ? html`<p class="faint">The last window, after traffic was given back:</p>` : ''}<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** How much of each limit is used. */
export function rules(window) {
  return html`<ul class="list">${window.rules.map(rule => {
    const text = known(rule.value) ? withUnit(rule.value, rule.unit) + ' of ' + withUnit(rule.threshold, rule.unit) : rule.reason || 'no data';
    const kind = rule.guard ? 'guard' : rule.informational ? 'for information' : 'SLA';
    const broken = rule.judgement === 'BREACHED';
    return html`<li><div class="line"><span><strong>${rule.name}</strong> <span class="faint">${kind}</span> <span class="expression">${rule.expression}</span></span>
      <span class="${broken ? 'bad' : ''}">${text}${broken ? ' – broken' : rule.judgement === 'INCONCLUSIVE' ? ' – unknown' : ''}</span></div>
      ${meter(rule.name + ' of its limit', rule.utilisation, text, broken)}</li>`;
  })}</ul>`;
}

/** How far each rule was broken at worst in a run that is over. */
export function worst(summaries) {
  return html`<ul class="list">${summaries.map(one => {
    const {value, threshold, unit, utilisation, judgement, reason} = one.worst;
    const broken = judgement === 'BREACHED';
    const text = known(value) ? withUnit(value, unit) + ' of ' + withUnit(threshold, unit) : reason || 'no data';
    const kind = one.guard ? 'guard' : one.informational ? 'for information' : 'SLA';
    return html`<li><div class="line"><span><strong>${one.name}</strong> <span class="faint">${kind}</span> <span class="expression">${one.expression}</span></span>
      <span class="${broken ? 'bad' : ''}">at worst ${text}${one.breached ? html`, broken in ${one.breached} of ${one.windows} windows` : ''}${one.inconclusive ? html`, unknown in ${one.inconclusive}` : ''} <span class="faint">${time(one.worstAt)}</span></span></div>
      ${meter(one.name + ' of its limit at worst', utilisation, text, broken)}</li>`;
  })}</ul>`;
}

/** The highlights in sentences; each leads to its moment in the charts. */
export function highlights(sentences) {
  return html`${sentences.map(({at, text, slowest = []}) => html`<li><a href="?at=${encodeURIComponent(at)}" data-at="${at}" title="${utc(at)}: show in the charts">${new Date(at).toLocaleTimeString()}</a> <bdi>${text}</bdi>${slowest.length ? html` Slowest: ${slowest.map((request, index) => html`${index ? ', ' : ''}${traced(request)}`)}.` : ''}</li>`)}`;
}

/** A request with its trace, as a link where there is a place for traces. */
const traced = ({traceId, latencySeconds, url}) => html`${url ? html`<a href="${url}">${traceId.slice(0, 8)}…</a>` : html`<code>${traceId}</code>`} (${duration(latencySeconds)})`;

/** Steps that ended: the text beside the charts. */
export function steps(page) {
  if (!page.items.length) return html`<p class="empty">No step has ended yet.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Steps that ended"><table>
    <caption class="visually-hidden">Steps that ended: load, share, and how much of the limits was used</caption>
    <thead><tr><th scope="col">Step</th><th scope="col">Began</th><th scope="col">Load wanted</th><th scope="col">Load arrived</th><th scope="col">Share</th><th scope="col">Broken windows</th><th scope="col">Limit used</th></tr></thead>
    <tbody>${page.items.map(step => html`<tr><th scope="row">${step.number}</th><td data-label="Began">${time(step.startedAt)} <span class="faint">${duration(step.seconds)}</span></td>
      <td data-label="Load wanted">${rate(step.targetRequestsPerSecond)}</td><td data-label="Load arrived">${rate(step.requestsPerSecond)}</td><td data-label="Share">${percent(step.share)}</td>
      <td data-label="Broken windows" class="${broke(step) ? 'bad' : ''}">${step.breached} of ${step.windows}</td>
      <td data-label="Limit used">${known(step.utilisation) ? percent(step.utilisation) : '–'}${step.rule ? html` <span class="faint">${step.rule}</span>` : ''}</td></tr>`)}</tbody></table></div>`;
}

function figure(one) {
  return html`<li>${one.name}: ${withUnit(one.value, one.unit)}</li>`;
}

/** What ended the run, most likely first. */
export function bottleneck(run) {
  if (!run.bottleneck.length) return html`<p class="empty">${run.phase === 'Finished' ? 'Nothing was found that ended this run.' : 'Said when the search has ended.'}</p>`;
  return html`<ol class="list">${run.bottleneck.map(one => html`<li><div class="line"><strong>${words(one.resource)}</strong></div>
    <p>${one.words}</p>${one.figures.length ? html`<dl class="facts">${one.figures.slice(0, 3).map(({name, value, unit}) => html`<div><dt>${name}</dt><dd>${withUnit(value, unit)}</dd></div>`)}</dl>` : ''}
    ${one.figures.length > 3 ? html`<details><summary>More evidence</summary><ul>${one.figures.slice(3).map(figure)}</ul></details>` : ''}</li>`)}</ol>`;
}

const VERDICTS = {OK: ['good', 'ok'], DOUBTFUL: ['warn', 'doubtful'], INVALID: ['bad', 'invalid'], UNKNOWN: ['', 'not measured']};

/** Whether the answer can be believed. */
export function validity(run) {
  if (!run.validity.length) return html`<p class="empty">${run.phase === 'Finished' ? 'No checks were made.' : 'Said when the search has ended.'}</p>`;
  return html`<ul class="list">${run.validity.map(check => {
    const [tone, text] = VERDICTS[check.verdict] || ['', words(check.verdict)];
    return html`<li><div class="line"><strong>${check.name}</strong><span class="badge ${tone}">${text}</span></div><p class="faint">${check.words}${known(check.value) ? ' (' + withUnit(check.value, check.unit) + (known(check.limit) ? ', doubt begins at ' + withUnit(check.limit, check.unit) : '') + ')' : ''}</p></li>`;
  })}</ul>`;
}

/** In the shape that Kubernetes uses. */
export function conditions(run) {
  return html`<ul class="list">${run.conditions.map(one => html`<li><div class="line"><strong>${one.type}</strong><span class="badge ${one.status === 'Unknown' ? 'warn' : ''}">${one.status}</span></div>
    <p class="faint">${one.reason}${one.message ? ': ' + one.message : ''}${one.lastTransitionTime ? html`, since ${time(one.lastTransitionTime)}` : ''}</p></li>`)}</ul>`;
}

/** What can be taken away. */
export function downloads(run) {
  const base = '/api/v1/runs/' + encodeURIComponent(run.id);
  return html`<p>${run.phase === 'Finished' ? '' : 'The run is not over: a report says so.'}</p>
    <p class="tools"><a class="button" href="${base}/report?format=html">Report</a> <a class="button" href="${base}/report?format=json" download>JSON</a>
    <a class="button" href="${base}/report?format=junit" download>JUnit</a> <a class="button" href="${base}/report?format=csv" download>CSV of windows</a>
    <a class="button" href="${base}/journal" download="${run.id}.ndjson">Journal</a></p>
    <p class="faint">Plan ${run.plan}, hash <code>${run.planHash.slice(0, 12)}</code>, run <code>${run.id}</code>, epoch ${run.epoch}.</p>`;
}

/** One decision in a line. */
export function decision(one) {
  const moved = one.phase !== one.phaseBefore ? html`<span class="badge">${one.phaseBefore} → ${one.phase}</span>` : html`<span class="faint">${one.phase}</span>`;
  const shifted = known(one.askedShareBefore) && one.askedShareBefore !== one.askedShare
    ? html`<span>share ${percent(one.askedShareBefore)} → <strong>${percent(one.askedShare)}</strong></span>` : html`<span class="faint">share ${percent(one.askedShare)}</span>`;
  return html`<details class="decision" data-sequence="${one.sequence}"><summary><span class="decision-line">${time(one.at)} ${moved} ${shifted} <span>${one.about}</span></span>
    ${one.reason ? html`<span class="faint">${one.reason}</span>` : ''}</summary><div class="inputs">Loading…</div></details>`;
}

/** What a decision was made from. */
export function inputs({decision: one, window, input, stateBefore}) {
  return html`<p>Decision ${one.sequence}. What was done: ${one.commands.length ? one.commands.map(command => command.words).join('; ') : 'nothing had to be sent'}.</p>
    ${window ? html`<p>Window ${window.sequence}, began ${time(window.startedAt)}: ${rate(window.requestsPerSecond)}, p99 ${duration(window.latencyP99Seconds)}, ${window.errors} errors of ${window.completed}, advice ${words(window.advice.action)} to ${rate(window.advice.targetRequestsPerSecond)}.</p>${rules(window)}` : ''}
    <details><summary>The input as the journal has it</summary><pre tabindex="0">${JSON.stringify(input, null, 2)}</pre></details>
    ${stateBefore ? html`<details><summary>The state that it was decided in</summary><pre tabindex="0">${JSON.stringify(stateBefore, null, 2)}</pre></details>` : ''}`;
}

/** Two runs beside each other. */
export function comparison(run, other) {
  const change = (one, another) => known(one) && known(another) && another ? percent(one / another - 1) : '–';
  const seconds = one => one.finishedAt ? (new Date(one.finishedAt) - new Date(one.submittedAt)) / 1000 : undefined;
  const rowsOf = [
    ['Outcome', badge(run), badge(other), ''],
    // Whether a difference is a change, and whether there can be one, the controller decides.
    ['Capacity', capacity(run.result), capacity(other.result), html`<a href="/api/v1/runs/${encodeURIComponent(run.id)}/comparison?with=${encodeURIComponent(other.id)}&format=html">Is it a change?</a>`],
    ['Limited by', run.result ? run.result.limitingRule || 'nothing' : '–', other.result ? other.result.limitingRule || 'nothing' : '–', ''],
    ['Instance', run.sut, other.sut, ''],
    ['Harm by the test', number(run.harm.requests), number(other.harm.requests), change(run.harm.requests, other.harm.requests)],
    ['Harm anyway', number(run.harm.anyway), number(other.harm.anyway), change(run.harm.anyway, other.harm.anyway)],
    ['Took', duration(seconds(run)), duration(seconds(other)), change(seconds(run), seconds(other))],
  ];
  return html`<table><caption>Compared with <a href="/runs/${encodeURIComponent(other.id)}">the run of ${time(other.submittedAt)}</a>, whose lines are amber, of dashes and dots in the charts, by time since the start</caption>
    <thead><tr><th scope="col">What</th><th scope="col">This run</th><th scope="col">The other</th><th scope="col">Change</th></tr></thead>
    <tbody>${rowsOf.map(([name, mine, its, difference]) => html`<tr><th scope="row">${name}</th><td data-label="This run">${mine}</td><td data-label="The other">${its}</td><td data-label="Change">${difference}</td></tr>`)}</tbody></table>`;
}

/** An entry of the list of runs to compare with. */
export function candidate(run) {
  return new Date(run.submittedAt).toLocaleString() + ' · ' + (run.outcome ? words(run.outcome) : run.phase) + (run.result ? ' · ' + capacity(run.result) : '') + ' · ' + ago(run.submittedAt);
}
