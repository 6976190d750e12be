// SPDX-License-Identifier: Apache-2.0
// What all pages do: who is looking, whether the controller answers, the kill switch, questions before something is done.
import {get, refreshAll, send, wordsOf} from './api.js';
import {now} from './clock.js';
import {ago, time} from './format.js';
import {byId, html, show} from './html.js';
import {keep, keptText} from './storage.js';

const notices = new Map();

let caller = null;

/** Shows a line under the bar until it is taken back with markup null. */
export function notice(name, markup, tone = '') {
  if (markup) notices.set(name, html`<p class="notice ${tone}" data-notice="${name}">${markup}</p>`);
  else notices.delete(name);
  show(byId('notices'), [...notices.values()]);
}

/** Who is looking: name, role, mode; null while it is not known. */
export const whoIsLooking = () => caller;

const ROLES = ['viewer', 'operator', 'admin'];

/** Why somebody may not do what takes a role; empty when he may, and while it is not known who is looking. */
function lacking(role) {
  if (!caller || ROLES.indexOf(caller.role) >= ROLES.indexOf(role)) return '';
  return `That takes the role ${role}. You are signed in as ${caller.name}${caller.role ? ', role ' + caller.role : ', without a role'}. Ask somebody who may, or sign in with another token.`;
}

/**
 * Asks before something is done. Does it when the viewer agrees, and stays open with the reason when it is refused. Who may not do
 * it reads so before he types.
 *
 * @param reason whether one has to be given: true, false or 'optional'
 * @param role that it takes
 * @param refused why it cannot be done, if that is known before
 * @param act gets the reason that was given
 * @returns whether it was done
 */
export function ask({title, words, action, reason: wanted = true, role = 'operator', refused = lacking(role), act}) {
  const reason = refused ? false : wanted;
  const dialog = byId('ask');
  const field = byId('ask-reason');
  const problem = dialog.querySelector('.problem');
  byId('ask-title').textContent = title;
  byId('ask-words').textContent = refused || words;
  byId('ask-do').textContent = action;
  byId('ask-do').hidden = Boolean(refused);
  byId('ask-cancel').textContent = refused ? 'Close' : 'Cancel';
  byId('ask-reason-label').hidden = field.hidden = !reason;
  byId('ask-reason-label').textContent = 'Reason, for the audit log' + (reason === 'optional' ? ' (may be left out)' : '');
  field.required = reason === true;
  field.value = '';
  problem.textContent = '';
  return new Promise(done => {
    let acted = false;
    const form = dialog.querySelector('form');
    form.onsubmit = async submitted => {
      submitted.preventDefault();
      byId('ask-do').disabled = true;
      try {
        await act(field.value.trim());
        acted = true;
        dialog.close();
      } catch (failure) {
        problem.textContent = wordsOf(failure);
      } finally {
        byId('ask-do').disabled = false;
      }
    };
    byId('ask-cancel').onclick = () => dialog.close();
    dialog.onclose = () => done(acted);
    dialog.showModal();
    (refused ? byId('ask-cancel') : reason ? field : byId('ask-do')).focus();
  });
}

/** Tells who presses what he may not, before he types. Regions are painted again and again, so the page listens for all of them. */
function refuse(event) {
  const needy = event.target.closest('[data-needs]');
  const refused = needy && lacking(needy.dataset.needs);
  if (!refused) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  ask({title: needy.dataset.what || needy.textContent.trim(), words: '', action: '', refused});
}

document.addEventListener('click', refuse, true);
document.addEventListener('submit', refuse, true);

let lostSince = null;

const stranger = () => !byId('sign-in').hidden;

document.addEventListener('redliner:lost', lost => {
  if (stranger()) return;
  lostSince ??= now();
  document.body.dataset.connection = 'lost';
  notice('connection', html`Connection lost ${ago(lostSince)}. ${lost.detail} What you see is old; trying again. Without a controller, redirectors give all traffic back by themselves within seconds.`, 'bad');
});

document.addEventListener('redliner:answered', () => {
  if (lostSince === null) return;
  lostSince = null;
  delete document.body.dataset.connection;
  notice('connection', null);
  refreshAll();
});

document.addEventListener('redliner:stranger', () => {
  if (stranger()) return;
  byId('sign-in').hidden = false;
  lostSince = null;
  delete document.body.dataset.connection;
  notice('connection', null);
  if (caller) {
    // What somebody typed stays on the page.
    byId('sign-in-words').textContent = 'Your token is not valid any more. What you see is old; what you typed stays.';
    return;
  }
  document.body.dataset.stranger = '';
  document.title = 'Sign in · RedLiner';
  byId('token').focus();
});

// The controller keeps the token in a cookie that scripts cannot read; an event stream sends no other header.
byId('sign-in').addEventListener('submit', async submitted => {
  submitted.preventDefault();
  const problem = byId('sign-in').querySelector('.problem');
  try {
    await send('POST', '/session', undefined, {Authorization: 'Bearer ' + byId('token').value.trim()});
    const known = await get('/whoami');
    if ('stranger' in document.body.dataset) {
      location.reload();
      return;
    }
    byId('sign-in').hidden = true;
    byId('token').value = problem.textContent = '';
    showCaller(known);
    refreshAll();
  } catch (failure) {
    problem.textContent = failure.status === 401 ? 'Not signed in: that token is not known, or has expired.' : wordsOf(failure);
    byId('token').select();
  }
});

byId('sign-out').addEventListener('click', async () => {
  try {
    await send('DELETE', '/session');
    location.reload();
  } catch (failure) {
    notice('sign-out', html`You are NOT signed out. ${wordsOf(failure)}`, 'bad');
  }
});

function showCaller(known) {
  caller = known;
  byId('viewer').textContent = caller.mode === 'open' ? 'open to this machine' : caller.name + ' · ' + (caller.role || 'no role');
  byId('sign-out').hidden = caller.mode === 'open';
  document.body.dataset.role = caller.role || 'none';
}

async function look() {
  try {
    if (stranger()) return;
    if (!caller) showCaller(await get('/whoami'));
    showKillSwitch(await get('/kill-switch'));
  } catch {
    // Said by the connection's notice, or the sign-in.
  }
}

let shownKillSwitch = '';

/** Says on every page that the switch is engaged, and what became of the traffic. */
function showKillSwitch(now) {
  // Painted only when it changes: somebody may be on its button by keyboard.
  const next = JSON.stringify(now);
  if (next === shownKillSwitch) return;
  shownKillSwitch = next;
  byId('kill-switch').dataset.engaged = String(now.engaged);
  byId('kill-switch').textContent = now.engaged ? 'Kill switch is engaged' : 'Kill switch';
  notice('kill-switch', now.engaged
    ? html`The kill switch is engaged since ${time(now.at)} by ${now.actor}: ${now.reason}. Nothing begins until it is released. ${now.traffic ? now.traffic.words : ''}
      <a href="/kill-switch" data-release>Release kill switch</a>` : null, 'bad');
  document.dispatchEvent(new CustomEvent('redliner:kill-switch', {detail: now}));
}

/** Engages the switch, by its button or its key. Neither of them releases it. */
async function killSwitch() {
  if (byId('ask').open) return;
  if (byId('kill-switch').dataset.engaged === 'true') {
    byId('notices').querySelector('[data-release]')?.focus();
    return;
  }
  await ask({
    title: 'Engage the kill switch?', words: 'All live runs end, all traffic is restored, and nothing begins until an admin releases it.'
      + (caller ? ` Should this page not answer: POST /api/v1/kill-switch at the controller's port ${caller.emergencyPort}.` : ''),
    action: 'Stop everything', reason: 'optional', act: reason => send('POST', '/kill-switch', reason ? {reason} : {}),
  });
  look();
}

byId('kill-switch').addEventListener('click', killSwitch);
// Before this, a press would have been lost without a word.
byId('kill-switch').disabled = false;

const shortcuts = new Map([['k', killSwitch]]);

/** A single key that does something on this page, unless the viewer does not want such keys. */
export function shortcut(key, words, act) {
  shortcuts.set(key, act);
  show(document.querySelector('[data-shortcut-help]'), html`, <kbd>${key.toUpperCase()}</kbd> ${words}`);
}

const wanted = byId('shortcuts');
wanted.checked = keptText('browser', 'shortcuts') !== 'off';
wanted.addEventListener('change', () => keep('browser', 'shortcuts', wanted.checked ? 'on' : 'off'));

document.addEventListener('keydown', pressed => {
  const writing = pressed.target.closest('input:not([type=checkbox]), textarea, select, dialog, [contenteditable]');
  const act = shortcuts.get(pressed.key.toLowerCase());
  if (act && wanted.checked && !writing && !pressed.repeat && !pressed.ctrlKey && !pressed.altKey && !pressed.metaKey) {
    pressed.preventDefault();
    act();
  }
});

look();
setInterval(() => { if (!document.hidden) look(); }, 5000);
