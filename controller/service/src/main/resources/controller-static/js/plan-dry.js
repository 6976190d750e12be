// SPDX-License-Identifier: Apache-2.0
// A dry run: everything is resolved, nothing is touched.
import {ApiError, send, wordsOf} from './api.js';
import {percent} from './format.js';
import {byId, html, show} from './html.js';

function chosen(choice) {
  return html`<li>${choice.side ? choice.side + ': ' : ''}<strong>${choice.instance}</strong>${choice.version ? `, version ${choice.version}` : ''}, of ${choice.among} that fit. ${choice.why}</li>`;
}

function limit(name, value) {
  return value === undefined ? '' : html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

const rule = one => html`<li>${one.name}: <code>${one.expr}</code>${one.informational ? ' (informational)' : ''}</li>`;

function planned(answer) {
  const spec = answer.plan.spec;
  const limits = spec.limits || {};
  return html`<p>Nothing was touched. A run begun now would test <strong>${answer.sut}</strong> of
    <a href="/services/${encodeURIComponent(answer.service)}">${answer.service}</a> with profile <strong>${spec.profile}</strong>.</p>
    ${answer.choices.length ? html`<h3>Chosen</h3><ul>${answer.choices.map(chosen)}</ul><p class="faint">Lots are drawn anew when a run is started.</p>` : ''}
    <dl class="facts"><div><dt>Natural share</dt><dd>${percent(answer.naturalShare)}</dd></div>
      ${limit('Largest share', limits.maxShare)}${limit('Raised at most', limits.maxRaise)}${limit('Longest duration', limits.maxDuration)}
      ${limit('Harm budget', limits.harmBudget)}${limit('Window', limits.window)}
      <div><dt>Peers</dt><dd>${answer.peers.length ? answer.peers.join(', ') : 'none'}</dd></div>
      <div><dt>Redirectors</dt><dd>${answer.redirectors.join(', ') || 'none'}</dd></div></dl>
    <h3>Rules</h3><ul>${(spec.sla || []).map(rule)}</ul>
    ${spec.guards && spec.guards.length ? html`<h3>Guards: broken, they end the run</h3><ul>${spec.guards.map(rule)}</ul>` : ''}
    ${answer.notes.map(note => html`<p class="warn">Note: ${note}.</p>`)}
    <p class="faint">Plan ${answer.planHash.slice(0, 12)}</p>`;
}

/** Shows what a run of this text would be. @returns why there is none */
export async function dryRun(text) {
  const region = byId('dry-answer');
  byId('dry').hidden = false;
  byId('dry-run').disabled = true;
  region.setAttribute('aria-busy', 'true');
  show(region, html`<p>Asking…</p>`);
  try {
    show(region, planned(await send('POST', '/runs?dryRun=true', text)));
    return null;
  } catch (failure) {
    const known = failure instanceof ApiError && failure.problem.known;
    show(region, html`<p class="problem" role="alert">${failure instanceof ApiError ? 'A run could not begin now: ' : ''}${wordsOf(failure)}</p>
      ${known && known.length ? html`<p>Known: ${known.join(', ')}</p>` : ''}
      ${failure.problem && failure.problem.runId ? html`<p><a href="/runs/${encodeURIComponent(failure.problem.runId)}">The run that holds the service</a></p>` : ''}`);
    return failure;
  } finally {
    region.setAttribute('aria-busy', 'false');
    byId('dry-run').disabled = false;
    byId('dry-title').focus();
  }
}
