// SPDX-License-Identifier: Apache-2.0
// The public REST API, which is all that these pages know. Declared regions ask it through htmx:
//   <div hx-ext="api" data-view="services" hx-get="/api/v1/..." hx-trigger="load, every 15s, refresh">
// and view('services', json => html`...`) makes HTML of the answer. Everything else calls get and send.
/* global htmx */
import {learn, now, timer} from './clock.js';
import {html, show} from './html.js';

const views = new Map();

const absent = new Map();

/** An answer that is no success; problem is the RFC 9457 document, or what stands in for it. */
export class ApiError extends Error {
  constructor(status, problem) {
    super(explained(status, problem));
    this.status = status;
    this.problem = problem;
  }
}

const SILENCE = 'The controller does not answer.';

/** What {@link wordsOf} adds where nobody has to do anything. */
export const GOING_ON = 'Trying again.';

/**
 * What went wrong in words.
 *
 * @param then what is to be done, or is done, when the controller does not answer
 */
export const wordsOf = (failure, then = 'Try again.') => failure instanceof ApiError ? failure.message : SILENCE + ' ' + then;

/** Words with a capital and a full stop. */
export const sentence = words => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? '' : '.');

/** Says what is wrong and what to do. */
function explained(status, problem) {
  const detail = problem.detail || problem.title || 'the controller answered ' + status;
  switch (status) {
    case 401: return 'You are not signed in. ' + sentence(detail);
    case 403: return sentence(detail) + ' Sign in with a token that may, or ask somebody who may.';
    case 429: return sentence(detail) + ' Wait a moment.';
    default: return detail;
  }
}

function announce(name, detail) {
  document.dispatchEvent(new CustomEvent(name, {detail}));
}

async function problemOf(response) {
  try {
    return await response.json();
  } catch {
    return {title: response.statusText};
  }
}

/** Whether the page waits for somebody to sign in. */
const strange = () => 'stranger' in document.body.dataset;

async function ask(path, options) {
  let response;
  const asked = timer();
  try {
    response = await fetch('/api/v1' + path, options);
  } catch (failure) {
    if (failure.name !== 'AbortError') announce('redliner:lost', SILENCE);
    throw failure;
  }
  learn(response.headers.get('Date'), asked);
  announce('redliner:answered');
  if (response.ok) return response;
  const failure = new ApiError(response.status, await problemOf(response));
  if (response.status === 401) announce('redliner:stranger');
  throw failure;
}

/** GET; the answer's JSON, of a type of its own where one is given. */
export async function get(path, signal, type = 'application/json') {
  return (await ask(path, {headers: {Accept: type}, signal})).json();
}

/** GET; undefined when there is no such thing. */
export async function getIfAny(path, signal) {
  try {
    return await get(path, signal);
  } catch (failure) {
    if (failure.status === 404) return undefined;
    throw failure;
  }
}

/** GET; the answer as YAML text. */
export async function getYaml(path, signal) {
  return (await ask(path, {headers: {Accept: 'application/yaml'}, signal})).text();
}

/** The reason of a request that has no body for it, for the audit log. A header holds Latin-1; the rest goes encoded. */
export function because(reason) {
  return reason ? {'X-Reason': /^[ -~]*$/.test(reason) ? reason : "UTF-8''" + encodeURIComponent(reason)} : {};
}

/** POST, PUT or DELETE of JSON, or of a text as it is; the answer's JSON, undefined when it has none. */
export async function send(method, path, body, headers = {}, signal = undefined) {
  const text = typeof body === 'string';
  const response = await ask(path, {
    method,
    signal,
    headers: {...(body === undefined ? {} : {'Content-Type': text ? 'application/yaml' : 'application/json'}), ...headers},
    body: body === undefined || text ? body : JSON.stringify(body),
  });
  const answer = await response.text();
  return answer ? JSON.parse(answer) : undefined;
}

/**
 * How the regions of this name show the answer to what they ask. A view may throw the error that is to be shown instead.
 *
 * @param missing what is shown when there is no such thing (404); without it the problem is shown
 */
export function view(name, toMarkup, missing) {
  views.set(name, toMarkup);
  if (missing) absent.set(name, missing);
}

function tell(region, message) {
  region.dataset.state = region.dataset.filled ? 'stale' : 'error';
  region.setAttribute('aria-busy', 'false');
  let notice = region.previousElementSibling;
  if (!notice || !notice.classList.contains('region-notice')) {
    notice = document.createElement('p');
    notice.className = 'region-notice problem';
    notice.setAttribute('role', 'alert');
    region.before(notice);
  }
  notice.textContent = region.dataset.filled
    ? 'Stale: last update ' + new Date(Number(region.dataset.filled)).toLocaleTimeString() + '. ' + message : message;
  if (!region.dataset.filled) show(region, html``);
}

function settled(region) {
  region.dataset.filled = String(now());
  region.dataset.state = 'ready';
  region.setAttribute('aria-busy', 'false');
  const notice = region.previousElementSibling;
  if (notice && notice.classList.contains('region-notice')) notice.remove();
}

const FOCUSABLE = 'a[href], button, input, select, textarea, summary';

/** What identifies an element that can have the focus. */
function mark(element) {
  return [element.tagName, element.getAttribute('href'), element.name, element.value, element.getAttribute('aria-label') || element.textContent].join(' ');
}

/** Before a region is filled anew: what brings back where somebody is by keyboard, and what was opened. */
function keep(region) {
  const inside = region.contains(document.activeElement) && document.activeElement !== region;
  const before = inside ? [...region.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement) : -1;
  const known = inside ? mark(document.activeElement) : '';
  const open = [...region.querySelectorAll('details')].map(one => one.open);
  return () => {
    region.querySelectorAll('details').forEach((one, index) => { one.open = open[index] ?? one.open; });
    if (inside && !region.contains(document.activeElement)) {
      const now = [...region.querySelectorAll(FOCUSABLE)];
      (now.find(one => mark(one) === known) || now[before])?.focus({preventScroll: true});
    }
    region.dispatchEvent(new CustomEvent('shown'));
  };
}

function fill(region, markup) {
  const back = keep(region);
  show(region, markup);
  back();
}

/**
 * A region that needs more than one question: asks at once, again and again, and whenever it is refreshed.
 *
 * @param load gets a signal, gives the markup
 * @returns asks now
 */
export function polled(region, load, seconds) {
  let latest = 0;
  region.dataset.polled = '';
  const look = async () => {
    if (strange()) return;
    const turn = ++latest;
    if (!region.dataset.filled) region.setAttribute('aria-busy', 'true');
    try {
      const markup = await load(AbortSignal.timeout(15000));
      if (turn !== latest) return;
      settled(region);
      fill(region, markup);
    } catch (failure) {
      if (turn === latest) tell(region, wordsOf(failure, GOING_ON));
    }
  };
  region.addEventListener('refresh', look);
  setInterval(() => { if (!document.hidden) look(); }, seconds * 1000);
  look();
  return look;
}

/** Shows what an answer that is no success says. */
function refused(region, xhr) {
  let problem = {};
  try {
    problem = JSON.parse(xhr.responseText);
  } catch {
    problem = {title: xhr.statusText};
  }
  if (xhr.status === 401) announce('redliner:stranger');
  if (xhr.status === 404 && absent.has(region.dataset.view)) {
    settled(region);
    announce('redliner:answered');
    fill(region, absent.get(region.dataset.view)(problem, region));
    return;
  }
  tell(region, explained(xhr.status, problem));
}

const isRegion = element => element && element.dataset && element.dataset.view && element.hasAttribute('hx-ext');

htmx.defineExtension('api', {
  transformResponse(text, xhr, element) {
    if (!isRegion(element) || xhr.status >= 300) return text;
    const markup = views.get(element.dataset.view)(JSON.parse(text), element);
    settled(element);
    setTimeout(keep(element));
    return String(markup);
  },
  onEvent(name, event) {
    const region = event.target;
    if (!isRegion(region)) return true;
    if (name === 'htmx:beforeRequest' && strange()) return false;
    if (name === 'htmx:beforeRequest' && !region.dataset.filled) region.setAttribute('aria-busy', 'true');
    if (name === 'htmx:sendError' || name === 'htmx:timeout') {
      announce('redliner:lost', SILENCE);
      tell(region, SILENCE + ' ' + GOING_ON);
    }
    if (name === 'htmx:beforeSwap' && event.detail.isError) {
      // A refusal is an answer, and is shown: htmx would write it to the console as an error of the page.
      event.detail.isError = false;
      refused(region, event.detail.xhr);
    }
    if (name === 'htmx:afterOnLoad' && event.detail.xhr.status < 300) announce('redliner:answered');
    return true;
  },
});

/** Lets a region ask again. */
export function refresh(region) {
  htmx.trigger(region, 'refresh');
}

/** Lets all regions of the page ask again. */
export function refreshAll() {
  document.querySelectorAll('[hx-ext="api"], [data-polled]').forEach(refresh);
}

const AGAIN = 3000;

const BROKEN_OFF = 'The stream of events broke off.';

/**
 * A stream of server-sent events that says whether it can be believed, and comes back by itself. Nobody listens while the
 * tab is hidden: a browser has six connections to a host, for all its tabs.
 *
 * @param path below /api/v1, or what gives it each time the stream is opened, to go on behind the last event
 * @param handlers by name of the event; they get its JSON, the stream, and the event
 * @param state is called with 'open', 'lost', or 'refused' when the controller answered with something else
 * @param silence milliseconds without an event after which it is lost, and opened again: a connection may end without a
 *   word. Only for a stream of which an event comes more often than that
 * @returns what can be closed, renewed when it seems to have broken without an error, and asked whether it is open
 */
export function stream(path, handlers, state, silence = Infinity) {
  let source = null;
  let receivedAt = 0;
  let retry = 0;
  let over = false;
  const mine = {
    close() {
      over = true;
      hang();
    },
    renew() {
      open();
    },
    live() {
      return source !== null && source.readyState === EventSource.OPEN;
    },
  };
  function hang() {
    clearTimeout(retry);
    source?.close();
    source = null;
  }
  function open() {
    hang();
    if (over || document.hidden || strange()) return;
    receivedAt = performance.now();
    source = new EventSource('/api/v1' + (typeof path === 'function' ? path() : path));
    source.onopen = () => {
      announce('redliner:answered');
      state('open');
    };
    source.onerror = () => {
      const refused = source.readyState === EventSource.CLOSED;
      state(refused ? 'refused' : 'lost');
      if (!refused) {
        announce('redliner:lost', BROKEN_OFF);
        return;
      }
      retry = setTimeout(open, AGAIN);
      // A stream does not say why it was refused: a stranger is asked to sign in, and reads nothing of a connection.
      get('/whoami').then(() => announce('redliner:lost', BROKEN_OFF), () => { /* It said so itself. */ });
    };
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, message => {
        receivedAt = performance.now();
        handle(JSON.parse(message.data), mine, message);
      });
    }
  }
  document.addEventListener('visibilitychange', () => {
    if (over) return;
    if (document.hidden) {
      hang();
      state('lost');
    } else {
      open();
    }
  });
  if (silence < Infinity) {
    setInterval(() => {
      if (!source || document.hidden || performance.now() - receivedAt <= silence) return;
      state('lost');
      open();
    }, 1000);
  }
  addEventListener('pagehide', hang);
  addEventListener('pageshow', shown => { if (shown.persisted) open(); });
  open();
  return mine;
}
