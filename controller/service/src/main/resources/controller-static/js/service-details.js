// SPDX-License-Identifier: Apache-2.0
// What is known of the page's service, asked once for all parts of the page.
import {getIfAny} from './api.js';

/** Milliseconds for which an answer serves the next part, too. */
const FRESH = 3000;

const path = '/services/' + encodeURIComponent(document.body.dataset.subject);

let asked = null;

let until = -Infinity;

/** The service; undefined when nothing is known of it. */
export function details() {
  if (performance.now() > until) {
    until = performance.now() + FRESH;
    asked = getIfAny(path, AbortSignal.timeout(15000));
    asked.catch(() => { until = -Infinity; });
  }
  return asked;
}
